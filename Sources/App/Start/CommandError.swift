import ABICodec
import AirGap
import KeyVault
import Keys
import Shell
import Signing
import Transactions

/// An error that a command finds itself, not a library that it calls: its words.
struct CommandError: WordedError, Equatable {
    let words: Words

    private init(_ code: ErrorCode, _ message: String? = nil, hint: String? = nil) {
        words = Words(code, message, hint: hint)
    }
}

extension CommandError {
    static let noAuthenticator = Self(.noDevice, "no FIDO2 authenticator is plugged in")
    /// - Parameter devices: a path and a name for each.
    static func severalAuthenticators(_ devices: [String]) -> Self {
        Self(
            .noDevice, "several authenticators are plugged in: " + devices.joined(separator: ", "),
            hint: "choose one with --fido2 PATH, or for a new slot with --new-fido2 PATH")
    }
    static let noHome = Self(.noHome, "neither XDG_DATA_HOME nor HOME is set")
    static func unknownOption(_ name: String) -> Self { Self(.usage, "unknown option '\(name)'") }

    static func noKey(vault: String) -> Self {
        Self(.noSuchKey, "\(vault): the vault contains no key", hint: "make one with `eosvault create`")
    }
    static func severalKeys(_ names: [String]) -> Self {
        Self(
            .severalKeys, "the vault has several keys",
            hint: "choose one with --key: " + names.joined(separator: ", "))
    }
    /// - Parameter text: what the user gave, a public key or a label. A text that may be a private
    ///   key is not repeated.
    /// - Parameter hint: nil for the advice of the code.
    static func unknownKey(_ text: String, vault: String, hint: String? = nil) -> Self {
        Self(
            .noSuchKey,
            mayBeSecret(text)
                ? "\(vault): the key is not in the vault"
                : "\(vault): the vault has no key `\(Printable.excerpt(text))`", hint: hint)
    }
    /// True for a text that may be a secret: a private key, or a long word without a space that is
    /// no public key.
    private static func mayBeSecret(_ text: String) -> Bool {
        holdsPrivateKey(text)
            || (try? PublicKey(text)) == nil && text.split(separator: " ").contains { $0.utf8.count > 20 }
            || text.split(whereSeparator: \.isWhitespace).count >= 8
    }
    static let declined = Self(.declined, "not signed: the answer was no")
    /// The file of `sign --lines` changed after its review, at or after this line.
    static func linesChanged(line: Int) -> Self {
        Self(
            .changedMeanwhile,
            "the file changed after the review; the lines from line \(line) on were not signed",
            hint: "make sure that no program writes the file, then run the same command again")
    }
    static func idTwice(line: Int, first: Int) -> Self {
        Self(
            .duplicate, "lines \(first) and \(line) have the same id; nothing was signed",
            hint: "give each line its own id; check that no payment is in the file twice")
    }
    /// The file of `sign --lines` has more different payments than the review adds up.
    static func tooManyTotals(line: Int) -> Self {
        Self(
            .tooLarge,
            "line \(line): the file has more than \(Amount.text(RunningSummary.maximumCount)) different pairs of "
                + "recipient and memo; nothing was signed",
            hint: "split the file, and sign each part")
    }
    /// The user did not type the word that a danger requires: nothing is signed.
    static func dangerDeclined(word: String) -> Self {
        Self(.declined, "not signed: the answer was not `\(word)`")
    }
    /// The user answered no, or typed a name other than the name of the key to remove.
    static let notRemoved = Self(
        .declined, "nothing was removed: the removal was not confirmed",
        hint: "the vault is unchanged; run the command again and confirm the removal")
    static let wordsNotConfirmed = Self(
        .declined, "the words were not confirmed: a typed word is wrong",
        hint: "nothing was changed; run the command again, and write the new words on paper")
    static let sharesNotConfirmed = Self(
        .declined, "the shares were not confirmed: a typed word is wrong",
        hint:
            "destroy the shares that you wrote: enough of them restore the secret, and new shares do not fit them; "
            + "then run the command again. For a seed, the log has recorded the export")
    /// - Parameter slots: the slots with a PIN: none, or several.
    static func whichPIN(_ slots: [Int]) -> Self {
        Self(
            .noSlot,
            slots.isEmpty
                ? "no slot has a PIN"
                : "\(Words.slots(slots)) each have a PIN, and there is no way to know which one is lost",
            hint: slots.isEmpty
                ? "add a PIN with `eosvault slot add`"
                : "add the lost unlock method again with `eosvault slot add`, with --new-tpm or --new-fido2 for a "
                    + "slot with a device, then remove its old slot with `eosvault slot remove`")
    }
    static let unprotectedAuthenticator = Self(
        .deviceFailed,
        "the authenticator is old (CTAP 2.0, without credProtect): it gives its secret without a PIN",
        hint: "use a newer authenticator, or add it with a PIN of the vault: omit --no-new-pin")
    static let noPINToChange = Self(
        .noSlot, "the slot that opened the vault has no PIN",
        hint: "open the vault with the PIN that you want to change, or with the recovery phrase")
    static func pinOfDevice(_ slot: Int) -> Self {
        Self(
            .noSlot, "slot \(slot) needs a device, and a new PIN alone could be guessed",
            hint: "remove the slot with `eosvault slot remove`, and add it again with `eosvault slot add`")
    }
    static let phraseNeeded = Self(
        .lastSlot, "a TPM can fail, so the vault needs a recovery phrase too", hint: "give --recovery")
    static let deviceRekey = Self(
        .lastSlot,
        "a new master key keeps only the slot that opens the vault, and a device can fail or be lost",
        hint: "open the vault with another unlock method, such as --recovery; then add the device again")
    /// The vault has no recovery phrase, which would be the second unlock method of a policy.
    static let noRecoveryPhrase = Self(
        .noSlot, "the vault has no recovery phrase",
        hint: "add one with `eosvault slot add --new-recovery`, or give --second pin")
    static let samePolicyPIN = Self(
        .invalidPIN, "the policy PIN is the PIN that opened the vault",
        hint: "choose another policy PIN: the PIN of the vault must not be enough to change a policy")
    /// A key of a finalizer.
    static let blsImport = Self(
        .unsupportedKey, "BLS finalizer keys are not supported yet",
        hint: "keep it in nodeos's config.ini; import the K1 keys of your accounts")
    static let notOneKey = Self(
        .importFile, "is not one private key: it is longer than a key, or has several lines",
        hint: "for a file with several keys use --lines, --from keosd-list or --from nodeos-config; see "
            + "`eosvault help import`")
    static let notKeyPair = Self(
        .importFile, "has the first line of `cleos create key --file`, but not the second one",
        hint: "give the file as cleos wrote it, `Private key: …` and `Public key: …`, or only the private key"
    )
    static let keyMismatch = Self(
        .importFile, "the public key does not belong to the private key",
        hint: "check where the file comes from: one of the two keys was changed")
    static let noPublicKey = Self(
        .importFile, "a public key is missing: it starts with EOS or PUB_",
        hint: "write the public key before its private key in the file")
    static let developmentKey = Self(.developmentKey, Words.developmentKey)
    /// - Parameter key: the number of the key at which the form is wrong.
    static func notKeosdList(key: Int) -> Self {
        Self(
            .importFile, "is not the output of `cleos wallet private_keys`, at key \(key)",
            hint: "make the file with `cleos wallet private_keys > FILE`")
    }
    static let signatureProvider = Self(
        .importFile, "is not `signature-provider = PUBLIC-KEY=KEY:PRIVATE-KEY`",
        hint: "only KEY providers can be imported; KEOSD providers are skipped")
    static func shortWalletPassword(minimum: Int) -> Self {
        Self(
            .invalidPassphrase, "the password of the new wallet has fewer than \(minimum) characters",
            hint: "use a long random one: keosd hashes it only once, so a short one is soon guessed")
    }
    static let shareCount = Self(
        .usage, "--shares is a number of shares such as 3-of-5",
        hint: "make up to 16 shares, and require at least 2 of them; 1-of-1 is one share")
    static func refusedInWallet(_ number: Int, _ reason: Words) -> Self {
        Self(
            .importFile, "key \(number): \(reason.message); nothing was imported",
            hint: "to import the other keys, give --skip-refused; \(reason.hint)")
    }
    static let labelForSeveral = Self(
        .importFile, "contains several keys, and a label is for one key",
        hint: "omit --label, and use `eosvault rename` afterwards")
    static let pathTwice = Self(.duplicate, "--path has the same path twice", hint: "give each path once")
    static let notWords = Self(
        .importFile, "is not the words of a wallet: --words, --path and --find do not apply",
        hint: "omit them")
    static let notAWallet = Self(
        .importFile, "is neither a wallet file that this version knows nor the words of a wallet",
        hint: "state its format with --from, or omit the options for wallets")
    static let noWords = Self(
        .invalidSeed, "the seed has no words: it was joined with --master-secret",
        hint: "use `eosvault seed split`, or export its keys")
    static let notFoundInWords = Self(
        .noSuchKey,
        "the key is not among the first \(PublicKeyList.searchedIndices) keys of each path that wallets use",
        hint: "check the words and the passphrase, or give --path if you know the path")
    static func tooManyKeys(limit: Int) -> Self {
        Self(
            .tooLarge, "has more than \(Amount.text(limit)) keys", hint: "split the list")
    }
    static func nothingToImport(_ kind: String) -> Self {
        Self(
            .importFile, "contains no key: expected a \(kind)",
            hint: "check the file, and the value of --from")
    }
    static let signingRequest = Self(
        .notATransaction, "a signing request, not a transaction",
        hint: "sign it with `eosvault sign`, and give the output of that command")
    static let signedTemplate = Self(
        .wrongFields, "a signing request has no signatures and no context-free data",
        hint: "remove them from the transaction")
    static let noTransactionToMerge = Self(
        .notATransaction, "the files have only signatures",
        hint: "give the file of their transaction too, signed or not")
    static func accountTwice(_ account: String) -> Self {
        Self(
            .duplicate, "another file already has the permissions of \(Printable.line(account))",
            hint: "give one --authority for each account")
    }
    static let nothingRescued = Self(
        .nothingRescued, "no key and no credential can be recovered from this file; no vault was made")
    static let unrecorded = Self(
        .readOnly,
        "not signed: the vault can't be written, so the signature can't be recorded in its audit log",
        hint:
            "make the vault's folder and file system writable, or give --no-record to sign without a record; a key "
            + "with a policy needs a vault that can be written")
    static let vaultOfChainMissing = Self(
        .unknownChain, "unknown chain",
        hint: ChainError.unknownName(known: Chain.all.map(\.name)).words.hint
            + "; a name of your vault needs --vault PATH")
    static let notPinned = Self(.declined, "not pinned: the answer was no")
    static let policyKept = Self(.declined, "the policy was not changed: the answer was no")
    static let clockKept = Self(
        .declined, "nothing was recorded: the answer was no",
        hint: "set the clock, then run the command again")
    /// A first policy without a second unlock method.
    static let secondMethodMissing = Self(
        .usage, "a first policy needs a second unlock method",
        hint: """
            give --second pin for a policy PIN, or --second recovery for the recovery phrase of the vault: \
            a looser policy, another second unlock method, the removal of the policy, and the export or \
            removal of the key will require it
            """)
    static func otherABIHash(found: String) -> Self {
        Self(
            .abiHash, "the raw form of the ABI has the SHA-256 \(found), which differs from --hash",
            hint: """
                the JSON of `cleos get abi` can have another hash than the chain's ABI: get the raw form with \
                `curl NODE/v1/chain/get_raw_abi -d '{"account_name":"ACCOUNT"}'`, and compare again
                """)
    }
    static func noSuchABI(account: Name) -> Self {
        Self(
            .noABI, "no ABI of \(account.text) is built in or pinned",
            hint: "see `eosvault abi list`, or pin one with `eosvault abi pin`")
    }
    static let unencryptedExport = Self(
        .export, "the private key would be written unencrypted to a file or pipe")
    static let unencryptedSecret = Self(.export, "the secret would be written unencrypted to a file or pipe")
    static func unknownSeed(_ text: String, vault: String) -> Self {
        Self(
            .noSuchSeed,
            mayBeSecret(text)
                ? "\(vault): the vault has no such seed"
                : "\(vault): the vault has no seed `\(Printable.excerpt(text))`")
    }
    static func unknownCredential(_ text: String, vault: String) -> Self {
        Self(
            .noSuchCredential,
            mayBeSecret(text)
                ? "\(vault): the vault has no such credential"
                : "\(vault): the vault has no credential `\(Printable.excerpt(text))`")
    }
    /// A header with a secret would go to a terminal or a file.
    static let secretHeader = Self(
        .export, "the header contains the secret, and would be shown or stored unencrypted",
        hint: "use --format curl, and pipe the output to `curl -q -K -`; --force allows it")
    /// The agent's answer would have the secret of the credential.
    static let secretForAgent = Self(
        .export, "the header contains the secret, which the agent never sends",
        hint: "use `eosvault credential sign`")
    /// A key or a credential has the name of a new credential.
    static let credentialExists = Self(
        .labelExists, "a key or a credential in the vault has this label",
        hint: "to replace a secret, use `eosvault credential rotate`; otherwise choose another label")
    static let qrNoTerminal = Self(
        .noTerminal, "QR codes need a terminal, and standard output is not one",
        hint: "write a picture with --qr-file FILE.png")
    static let qrPlainTerminal = Self(
        .noTerminal, "QR codes need colours, and this terminal has none (TERM is dumb)",
        hint: "write a picture with --qr-file FILE.png")
    /// - Parameter fragment: the largest --qr-fragment whose codes fit; nil for a hint without it.
    static func qrTerminalTooSmall(needed: TerminalSize, actual: TerminalSize, fragment: Int?) -> Self {
        Self(
            .noTerminal,
            "the QR code needs \(needed.columns) columns and \(needed.rows) rows; "
                + "the terminal has \(actual.columns) and \(actual.rows)",
            hint: "enlarge the window, make its font smaller, "
                + (fragment.map { "give `--qr-fragment \($0)` or less, " } ?? "")
                + "or write a picture with --qr-file FILE.png")
    }
    /// - Parameter fragment: the fewest bytes in each code.
    static func qrTooManyCodes(fragment: Int) -> Self {
        Self(
            .tooLarge, "the result needs more than \(Amount.text(URPart.maximumCount)) codes",
            hint: "give --qr-fragment \(fragment) or more, or omit it")
    }
    static let qrTooLong = Self(
        .tooLarge, "the result is too long for QR codes",
        hint: "omit --qr and --qr-file, and write the result to a file")
}
