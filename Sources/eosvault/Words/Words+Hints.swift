extension Words {
    /// What to do next where an error says nothing of its own.
    static func generalHint(_ code: String) -> String {
        switch code {
        case "no-such-file": "relative names start at the current folder; `-` is standard input"
        case "is-directory": "name a file in it"
        case "empty", "empty-key": "nothing arrived: make the file again, or look at the command before the pipe"
        case "unreadable", "unwritable", "system": "look at the file's permissions and at the disk"
        case "too-long": "there is a limit to what is taken; is it the right one?"
        case "extension-gap": "give what is left out too, or leave out what stands behind it"
        case "missing-field", "unknown-field", "duplicate-field", "wrong-type":
            "data has the fields of its ABI, a transaction those that `cleos … -d -s -j -x 3600` prints, an ABI those of `cleos get abi`"
        case "invalid-json", "invalid-utf8":
            "have it made anew by the tool that wrote it; `cleos … -d -s -j -x 3600` prints transactions, `cleos get abi` ABIs"
        case "out-of-range", "invalid-integer", "invalid-float", "invalid-bool", "invalid-asset", "invalid-symbol",
            "invalid-optional",
            "invalid-time", "invalid-name", "invalid-hex", "odd-hex", "wrong-length", "invalid-bitset", "unprintable":
            "Vectors/README.md has the one form of each type's text"
        case "too-deep", "too-many-elements", "nested-absence", "unknown-alternative":
            "the value does not fit its type, or was made to do harm: ask where it comes from"
        case "abi-too-long": "no contract's ABI is so large: ask where it comes from"
        case "unknown-type", "abi", "abi-duplicate", "abi-type-exists", "circular-alias", "circular-base",
            "invalid-base",
            "misplaced-extension":
            "nodes can't use this ABI either: ask the contract's author, or sign the action unseen with --blind ACCOUNT::ACTION"
        case "pin-empty", "pin-too-long": "a PIN has 6 to 1024 printable ASCII characters"
        case "scalar-out-of-range", "wrong-wif-version", "invalid-key", "invalid-signature", "not-recoverable",
            "unknown-prefix":
            "have it written again by the tool that made it"
        case "invalid-label": "1 to 64 letters, digits, signs and spaces between them"
        case "kdf-cost": "the defaults, 3 passes over 256 MiB, suit most machines"
        case "declined": "nothing was done"
        case "no-answer": "nothing was done; give the PIN by --pin-file, and --yes, where there is nobody to answer"
        case "invalid-varuint", "invalid-zlib", "trailing-bytes", "cut-short", "unknown-compression":
            "have it made anew; something was lost or added on the way here"
        case "not-vectors", "unknown-kind", "no-vectors": Words.vectorFormat
        case "invalid-path": "name a file, not a folder"
        case "no-pin-slot": "restore a copy of the vault, or use the version of eosvault that made it"
        case "unsupported-kind": "use the version of eosvault that made the vault"
        default: "see `eosvault help`, or --help behind the command"
        }
    }
}
