extension Words {
    /// The hint for errors that have no hint in their own text.
    static func generalHint(_ code: String) -> String {
        switch code {
        case "no-such-file": "relative paths start at the current folder; `-` means standard input"
        case "is-directory": "give a file in that folder"
        case "empty", "empty-key": "make the file again, or check the command before the pipe"
        case "unreadable", "unwritable", "system": "check the file's permissions and the disk"
        case "too-long": "the input is larger than eosvault accepts: check that you gave the right input"
        case "extension-gap": "give the missing extension too, or omit the fields after it"
        case "missing-field", "unknown-field", "duplicate-field", "wrong-type":
            "use exactly the fields of the ABI for action data, of `cleos … -d -s -j -x 3600` for a transaction, "
                + "of `cleos get abi` for an ABI"
        case "invalid-json", "invalid-utf8":
            "make it again with the tool that wrote it; `cleos … -d -s -j -x 3600` prints transactions, "
                + "`cleos get abi` prints ABIs"
        case "out-of-range", "invalid-integer", "invalid-float", "invalid-bool", "invalid-asset", "invalid-symbol",
            "invalid-optional",
            "invalid-time", "invalid-name", "invalid-hex", "odd-hex", "wrong-length", "invalid-bitset", "unprintable":
            "Vectors/README.md describes the text form of each type"
        case "too-deep", "too-many-elements", "nested-absence", "unknown-alternative":
            "the value does not fit its type, or is malicious: check where it comes from"
        case "abi-too-long": "no known contract has an ABI of this size: check where it comes from"
        case "unknown-type", "abi", "abi-duplicate", "abi-type-exists", "circular-alias", "circular-base",
            "invalid-base",
            "misplaced-extension":
            "nodes can't use this ABI either: ask the contract's author, "
                + "or blind-sign the action with --blind ACCOUNT::ACTION"
        case "pin-empty", "pin-too-long": "a PIN has 6 to 1024 printable ASCII characters"
        case "scalar-out-of-range", "wrong-wif-version", "invalid-key", "invalid-signature", "not-recoverable",
            "unknown-prefix":
            "export it again from the tool that made it"
        case "invalid-label": "a label has 1 to 64 letters, digits and symbols, and spaces between them"
        case "kdf-cost": "omit --kdf-passes and --kdf-memory: the defaults suit most machines"
        case "declined": "nothing was done"
        case "no-answer": "nothing was done; in a script, give --pin-file and --yes"
        case "invalid-varuint", "invalid-zlib", "trailing-bytes", "cut-short", "unknown-compression":
            "part of the data was lost or added: make or copy it again"
        case "not-vectors", "unknown-kind", "no-vectors": Words.vectorFormat
        case "invalid-path": "give the name of a file, not of a folder"
        case "unsupported-kind": "use a newer version of eosvault"
        default: "run `eosvault help`, or add --help to the command"
        }
    }
}
