import ABICodec
import KeyVault
import Shell
import Signing

extension CommandError: WordedError {
    var words: Words {
        switch self {
        case .noHome: Words(.noHome, "neither XDG_DATA_HOME nor HOME is set")
        case .noKey(let vault):
            Words(.noSuchKey, "\(vault): the vault contains no key", hint: "make one with `eosvault create`")
        case .severalKeys(let names):
            Words(
                .severalKeys, "the vault has several keys",
                hint: "choose one with --key: " + names.joined(separator: ", "))
        case .unknownKey(let vault): Words(.noSuchKey, "\(vault): the key is not in the vault")
        case .notRemoved:
            Words(
                .declined, "nothing was removed: the removal was not confirmed",
                hint: "the vault is unchanged; run the command again and confirm the removal")
        case .phraseNotConfirmed:
            Words(
                .declined, "the new recovery phrase was not confirmed: the typed words are wrong",
                hint: "nothing was changed; run the command again, and write the new words on paper")
        case .whichPIN(let slots):
            Words(
                .noSlot,
                slots.isEmpty
                    ? "no slot has a PIN"
                    : "\(Words.slots(slots)) each have a PIN, and there is no way to know which one is lost",
                hint: slots.isEmpty
                    ? "add a PIN with `eosvault slot add`"
                    : "add a new PIN with `eosvault slot add`, "
                        + "then remove the slot of the lost one with `eosvault slot remove`")
        case .noRecoveryPhrase:
            Words(
                .noSlot, "the vault has no recovery phrase",
                hint: "add one with `eosvault slot add --new-recovery`, or give --second pin")
        case .samePolicyPIN:
            Words(
                .invalidPIN, "the policy PIN is the PIN that opened the vault",
                hint: "choose another policy PIN: the PIN of the vault must not be enough to change a policy")
        case .declined: Words(.declined, "not signed: the answer was no")
        case .dangerDeclined(let word): Words(.declined, "not signed: the answer was not `\(word)`")
        case .linesChanged(let line):
            Words(
                .changedMeanwhile, "the file changed after the review; the lines from line \(line) on were not signed",
                hint: "make sure that no program writes the file, then run the same command again")
        case .idTwice(let line, let first):
            Words(
                .duplicate, "lines \(first) and \(line) have the same id; nothing was signed",
                hint: "give each line its own id; check that no payment is in the file twice")
        case .tooManyTotals(let line):
            Words(
                .tooLarge,
                "line \(line): the file has more than \(Amount.text(RunningSummary.maximumCount)) different pairs of "
                    + "recipient and memo; nothing was signed",
                hint: "split the file, and sign each part")
        case .notPinned: Words(.declined, "not pinned: the answer was no")
        case .clockKept:
            Words(
                .declined, "nothing was recorded: the answer was no", hint: "set the clock, then run the command again")
        case .policyKept: Words(.declined, "the policy was not changed: the answer was no")
        case .secondMethodMissing:
            Words(
                .usage, "a first policy needs a second unlock method",
                hint: """
                    give --second pin for a policy PIN, or --second recovery for the recovery phrase of the vault: \
                    a looser policy, another second unlock method, the removal of the policy, and the export or \
                    removal of the key will require it
                    """)
        case .otherABIHash(let found):
            Words(
                .abiHash, "the raw form of the ABI has the SHA-256 \(found), not that of --hash",
                hint: """
                    the JSON of `cleos get abi` can have another hash than the chain's ABI: get the raw form with \
                    `curl NODE/v1/chain/get_raw_abi -d '{"account_name":"ACCOUNT"}'`, and compare again
                    """)
        case .noSuchABI(let account):
            Words(
                .noABI, "no ABI of \(account.text) is built in or pinned",
                hint: "see `eosvault abi list`, or pin one with `eosvault abi pin`")
        case .unrecorded:
            Words(
                .readOnly,
                "not signed: the vault can't be written, so the signature can't be recorded in its audit log",
                hint:
                    "make the vault's folder and file system writable, or give --no-record to sign without a "
                    + "record; a key with a policy needs a vault that can be written"
            )
        case .signingRequest:
            Words(
                .notATransaction, "a signing request, not a transaction",
                hint: "sign it with `eosvault sign`, and give the output of that command")
        case .noTransactionToMerge:
            Words(
                .notATransaction, "the files have only signatures",
                hint: "give the file of their transaction too, signed or not")
        case .qrNoTerminal:
            Words(
                .noTerminal, "--qr draws a code on a terminal, and standard output is not one",
                hint: "write a picture with --qr-file FILE.png")
        case .qrPlainTerminal:
            Words(
                .noTerminal, "--qr needs colours, and this terminal has none (TERM is dumb)",
                hint: "write a picture with --qr-file FILE.png")
        case .qrTerminalTooSmall(let needed, let actual, let fragment):
            Words(
                .noTerminal,
                "the QR code needs \(needed.columns) columns and \(needed.rows) rows; "
                    + "the terminal has \(actual.columns) and \(actual.rows)",
                hint: "enlarge the window, make its font smaller, "
                    + (fragment.map { "give --qr-fragment \($0), " } ?? "")
                    + "or write a picture with --qr-file FILE.png")
        case .qrTooLong:
            Words(
                .tooLarge, "the result is too long for QR codes",
                hint: "omit --qr and --qr-file, and write the result to a file")
        case .unencryptedExport: Words(.export, "the private key would be written unencrypted to a file or pipe")
        case .unencryptedSecret: Words(.export, "the secret would be written unencrypted to a file or pipe")
        case .secretHeader:
            Words(
                .export, "the header contains the secret, and would be shown or stored unencrypted",
                hint: "use --format curl, and pipe the output to `curl -q -K -`; --force allows it")
        case .unknownCredential(let vault): Words(.noSuchCredential, "\(vault): the vault has no such credential")
        case .credentialExists:
            Words(
                .labelExists, "a key or a credential in the vault has this label",
                hint: "to replace a secret, use `eosvault credential rotate`; otherwise choose another label")
        case .nothingRescued:
            Words(.nothingRescued, "no key and no credential can be recovered from this file; no vault was made")
        case .r1Import:
            Words(
                .unsupportedKey, "this is an R1 key, and R1 keys are not supported yet",
                hint: "import a K1 private key: it starts with 5 or PVT_K1_")
        case .blsImport:
            Words(
                .unsupportedKey, "BLS finalizer keys are not supported yet",
                hint: "keep it in nodeos's config.ini; import the K1 keys of your accounts")
        case .notOneKey(let limit):
            Words(
                .importFile, "has more than \(limit) bytes, so it is not one private key",
                hint: "for a file with several keys use --lines, --from keosd-list or --from nodeos-config; see "
                    + "`eosvault help import`")
        case .keyMismatch:
            Words(
                .importFile, "the public key does not belong to the private key",
                hint: "check where the file comes from: one of the two keys was changed")
        case .noPublicKey:
            Words(
                .importFile, "a public key is missing: it starts with EOS or PUB_",
                hint: "write the public key before its private key in the file")
        case .developmentKey: Words(.developmentKey, Words.developmentKey)
        case .notKeosdList(let key):
            Words(
                .importFile, "is not the output of `cleos wallet private_keys`, at key \(key)",
                hint: "make the file with `cleos wallet private_keys > FILE`")
        case .signatureProvider:
            Words(
                .importFile, "is not `signature-provider = PUBLIC-KEY=KEY:PRIVATE-KEY`",
                hint: "only providers of the kind KEY can be imported; those of the kind KEOSD are skipped")
        case .accountTwice(let account):
            Words(
                .duplicate, "another file already has the permissions of \(Printable.line(account))",
                hint: "give one --authority for each account")
        case .nothingToImport(let kind):
            Words(
                .importFile, "contains no key: it should be a \(kind)", hint: "check the file, and the value of --from")
        }
    }
}
