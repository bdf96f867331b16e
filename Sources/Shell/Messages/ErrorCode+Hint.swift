extension ErrorCode {
    /// The hint for errors that have no hint in their own text.
    package var hint: String {
        switch self {
        case .noSuchFile: "relative paths start at the current folder; `-` means standard input"
        case .isDirectory: "give a file in that folder"
        case .unusableSignature: "on the machine that signed this copy, sign the unsigned transaction again"
        case .invalidCode: "scan the codes again; give one text that begins with ur: in each line"
        case .codesMissing: "scan the sequence longer, and give the texts of all its codes in one file"
        case .severalMessages: "scan the codes of one message, and give only their texts"
        case .noTransactionMessage: "scan the codes of a transaction, for example of `eosvault sign --qr`"
        case .accountTwice: "give one --authority for each account"
        case .empty, .emptyKey: "make the file again, or check the command before the pipe"
        case .unreadable, .unwritable, .system: "check the file's permissions and the disk"
        case .tooLong: "the input is larger than eosvault accepts: check that you gave the right input"
        case .extensionGap: "give the missing extension too, or omit the fields after it"
        case .missingField, .unknownField, .duplicateField, .wrongType:
            "use exactly the fields of the ABI for action data, of `cleos … -d -s -j -x 3600` for a transaction, "
                + "of `cleos get abi` for an ABI"
        case .invalidJSON, .invalidUTF8:
            "make it again with the tool that wrote it; `cleos … -d -s -j -x 3600` prints transactions, "
                + "`cleos get abi` prints ABIs"
        case .outOfRange, .invalidFloat, .invalidBool, .invalidAsset, .invalidSymbol, .invalidOptional, .invalidHex,
            .oddHex, .wrongLength, .invalidBitset, .unprintable:
            "Vectors/README.md describes the text form of each type"
        case .tooDeep, .tooManyElements, .nestedAbsence, .unknownAlternative:
            "the value does not fit its type, or is malicious: check where it comes from"
        case .abiTooLong: "no known contract has an ABI of this size: check where it comes from"
        case .unknownType, .abiDuplicate, .abiTypeExists, .circularAlias, .circularBase, .invalidBase,
            .misplacedExtension:
            "nodes can't use this ABI either: ask the contract's author, "
                + "or blind-sign the action with --blind ACCOUNT::ACTION"
        case .samePIN: "choose another policy PIN: the PIN of the vault must not be enough to change a policy"
        case .pinEmpty, .pinTooLong: "a PIN has 6 to 1024 printable ASCII characters"
        case .scalarOutOfRange, .wrongWIFVersion, .invalidKey, .invalidSignature, .notRecoverable, .unknownPrefix:
            "export it again from the tool that made it"
        case .invalidLabel:
            "a label has 1 to 64 letters of one script, digits and symbols, with spaces only between them, and does "
                + "not look like a key or a system account"
        case .kdfCost: "omit --kdf-passes and --kdf-memory: the defaults suit most machines"
        case .declined: "nothing was done"
        case .noAnswer: "nothing was done; in a script, give --pin-file and --yes"
        case .typedAhead:
            "stop typing or pasting, then run the command again; a script must wait for each question before it answers"
        case .invalidVaruint, .trailingBytes, .unknownCompression:
            "part of the data was lost or added: make or copy it again"
        case .noVectors, .notVectors, .unknownKind: Words.vectorFormat
        case .invalidPath: "give the name of a file, not of a folder"
        case .unsupportedKind: "use a newer version of eosvault"
        case .invalidBase58, .invalidBase64, .unknownCurve, .checksumMismatch, .notOnCurve: Words.mistyped
        case .cutShort: Words.cutShort
        case .damaged, .schemaAltered, .slotsDamaged, .manifestMismatch, .entryDamaged, .budgetExceeded, .sqlite:
            Words.restoreHint
        case .rolledBack, .forked:
            "if this is a backup, use `eosvault backup verify FILE`; "
                + "to use this older copy, give --accept-rollback once: it lacks the keys that were added later"
        case .invalidName: "a name has up to 12 characters (a to z, 1 to 5, dots), and maybe a 13th (a to j, 1 to 5)"
        case .recoveredOtherKey, .faultyNonce, .noCanonicalSignature, .libraryFailure:
            "the hardware may be faulty: try again; if it fails again, use another machine"
        case .unknownChain: "give a name that `eosvault chains` lists, or a chain id of 64 hex digits"
        case .unknownToken, .tokenPrecision, .invalidAmount, .invalidPermission, .invalidAuthority, .invalidAction,
            .otherAccount, .notABlock, .notAProposal:
            "run `eosvault help build`, or add --help to the command"
        case .notARequest: "give a link, or a file that contains one"
        case .noSuchSlot: "see `eosvault slot list`"
        case .lastSlot: "add another slot first, with `eosvault slot add`"
        case .slotsFull: "remove one first, with `eosvault slot remove`"
        case .otherSlots:
            "give --drop-other-slots to remove the other slots; add them again later with `eosvault slot add`"
        case .slotChanged: "try again with the current PIN"
        case .pinTooShort: "use a passphrase of several words; it is far stronger than digits"
        case .pinNotASCII: "use ASCII characters only: another keyboard may encode other characters differently"
        case .mismatch: "nothing was done; try again"
        case .keyFile: "give the file that `init --keyfile` or `slot add --new-keyfile` made"
        case .phraseWord: "check its spelling"
        case .phraseChecksum: "compare the words with what you wrote down"
        case .phraseNotConfirmed: "nothing was changed; run the command again, and write the new words on paper"
        case .walletSeed: "a wallet seed does not open a vault, and a recovery phrase does not open a wallet"
        case .labelExists, .labelAlike: "choose another label"
        case .keyExists, .noSuchKey: "see `eosvault list`"
        case .noKeys: "make one with `eosvault create`"
        case .neverBackedUp:
            "make a backup with `eosvault backup FILE`, or give --never-backed-up to remove it anyway"
        case .notConfirmed: "the vault is unchanged; run the command again and confirm the removal"
        case .changedMeanwhile: "check it with `eosvault show`, then try again"
        case .noPolicy: "see `eosvault policy list`; --all names the policy of all keys"
        case .secondMethodNeeded:
            "type the second unlock method of the policy at a terminal, or give --second-file or --second-fd; if two "
                + "policies limit the key, both of their methods are required, at a terminal"
        case .policy:
            "use the newer version of eosvault that wrote the policy; "
                + "if you set no policy, run `eosvault check`"
        case .r1Import: "import a K1 private key: it starts with 5 or PVT_K1_"
        case .blsImport: "keep it in nodeos's config.ini; import the K1 keys of your accounts"
        case .notOneKey:
            "for a file with several keys use --lines, --from keosd-list or --from nodeos-config; see "
                + "`eosvault help import`"
        case .keyMismatch: "check where the file comes from: one of the two keys was changed"
        case .noPublicKey: "write the public key before its private key in the file"
        case .developmentKey: "give --force to import it for tests; never use it for an account of value"
        case .notKeosdList: "make the file with `cleos wallet private_keys > FILE`"
        case .signatureProvider:
            "only providers of the kind KEY can be imported; those of the kind KEOSD are skipped"
        case .nothingToImport: "check the file, and the value of --from"
        case .export: "run the command at a terminal, or give -o FILE; --force allows it"
        case .nothingRescued: "keep the file unchanged, and restore a backup with `eosvault restore`"
        case .noVault:
            "make a vault with `eosvault init`, make one from a backup with `eosvault restore FILE`, "
                + "or name your vault with --vault"
        case .vaultFile: "name a file of the right kind; to use the vault, give its path with --vault"
        case .notAVault: "name the vault's file with --vault"
        case .newerVersion: "use the newer version of eosvault that wrote the vault"
        case .reservedName: "choose another file name"
        case .notOwned: "run eosvault as that user, or change the owner with chown"
        case .strayWAL: "move the -wal file to another folder"
        case .strayJournal: "move the -journal file to another folder"
        case .unfinishedChange: "run `eosvault list --vault FILE`: it undoes the interrupted change"
        case .replaced: "try again"
        case .hardLink: "copy the file with `cp`, and use the copy"
        case .vaultFull: "move the audit log to a file, with `eosvault log archive FILE`"
        case .readBack: "the disk or USB stick is faulty: use another one"
        case .backupNotRecorded:
            "the vault still lists its keys as not backed up; make another backup when the vault can be written"
        case .busy: "try again when it has finished"
        case .diskFull: "free some space and try again"
        case .commitUncertain: "run `eosvault list` to see whether the change is there, and check the disk for errors"
        case .clock: "set the date and time of this machine, then try again"
        case .notEnoughMemory: "close other programs and try again"
        case .noGuardedMemory: "the limit on locked memory may be too small: check it with `ulimit -l`"
        case .noHome: "name the vault with --vault"
        case .readableProcess: "run eosvault on another system"
        case .smallStack: "run `ulimit -s 8192`, or ask the administrator to raise the limit"
        case .auditLog: "someone modified the vault's file; compare it with a backup, and run `eosvault check`"
        case .witnessUnreadable:
            "make sure that only you can write in $XDG_STATE_HOME/eosvault; "
                + "if this vault is the newest copy, give --accept-rollback once"
        case .faulty: "run `eosvault check` to list the faults, `eosvault rescue` to recover keys"
        case .usage: "run `eosvault help`, or the command with --help"
        case .secretArgument:
            "delete it from your shell's history; give private keys at the prompt, in a file or on standard input"
        case .notUTF8: "if the argument is a file name, rename the file"
        case .terminal: "omit this file; eosvault then asks for the text and hides it"
        case .internalError: "please report this as a bug"
        case .signingUnsupported: "sign with a K1 key"
        case .checksumOfOtherForm: "the prefix was changed: use the original text"
        case .compressedWIF: "Antelope private keys in WIF have 51 characters and start with 5"
        case .singleHashWIF: "an old tool wrote this text: export the key again, from the tool that made the key"
        case .privateKeyGiven:
            "anyone who saw this private key can sign with it: "
                + "if someone else may have seen it, change the account to a new key"
        case .publicKeyGiven: "private keys start with 5 or PVT_"
        case .fioKey: "the same key is written EOS…: replace the first three letters"
        case .invalidInteger: "give only digits, with a minus sign before a negative number"
        case .invalidTime: "give the time in UTC, without a time zone"
        case .abiVersion: "the supported versions are eosio::abi/1.0 to 1.3"
        case .abiHash: "part of it was lost or changed: fetch it again"
        case .noPinnedABI: "see `eosvault abi list`"
        case .notAnArchive: "name a file that `eosvault log archive` made"
        case .archiveOfOtherVault: "choose the vault of the archive with --vault"
        case .nothingToArchive: "`eosvault check` lists the archives of the earlier records"
        case .archivesNotConsecutive: "give all archives that `eosvault check` lists between the first and the last"
        case .archiveDamaged:
            "use another copy of the file; a vault that was restored from a backup from before `eosvault rekey` "
                + "opens no later archive"
        case .pinnedABIsFull: "remove one first, with `eosvault abi unpin`"
        case .policySyntax: "correct the file at this place; JSON has no comments and no trailing commas"
        case .policyTooLarge:
            "write fewer or shorter rules, amounts and limits; `one_of` and `pattern` allow several values in one rule"
        case .policyVersion: "write `\"version\": 1`, or use the version of eosvault that reads this policy"
        case .policyLog: "correct the file at this place; see `eosvault help policy simulate`"
        case .policyMember, .policyValue:
            "correct the file at this place; `eosvault policy schema` describes each member"
        case .policyChain: "check --chain and the transaction; `chains` of the policy lists the chains"
        case .policyIdentity: "`\"identity\": \"allow\"` in a new policy allows them"
        case .policyHours: "sign at a time that `hours` of the policy includes; check the clock of this machine"
        case .policyExpiration: "build the transaction again with an earlier expiration"
        case .policyActions: "sign a transaction with at least one action, and with at most `max_actions`"
        case .policyWarning: "review the transaction with `eosvault inspect`"
        case .idTwice: "give each line its own id; check that no payment is in the file twice"
        case .tooManyTotals: "split the file, and sign each part"
        case .policyCosigner: "let the cosigner sign first, then sign the result"
        case .policyContextFree: "remove the context-free actions; wallets rarely need them"
        case .policyUndecoded: "pin the contract's ABI with `eosvault abi pin`; a policy never allows --blind"
        case .policyNoRule, .policyRule: "check the transaction; if it is right, set a new policy"
        case .policyProposal:
            "give the proposal's transaction with --proposal, and state its hash in the approval; "
                + "`eosvault msig hash` prints the hash"
        case .policyABI: "pin the contract's ABI with `eosvault abi pin`, and omit --abi"
        case .policyAmount: "check the transaction, and `amounts` and `limits` of the policy"
        case .policyLimit: "split the transaction, sign later, or set a new policy"
        case .policyHistory: "sign later, or set a policy with a shorter window or without `each_recipient`"
        case .policyConfirm: "sign each transaction at a terminal, without --yes and --lines"
        case .policyClock:
            "check the date of this machine; if it is right, sign one transaction at a terminal, without --yes and "
                + "--lines"
        case .policyReadOnly:
            "make the vault's folder and file system writable; --no-record does not sign with a key that has a policy"
        case .noSuchCredential: "see `eosvault credential list`"
        case .invalidURL: "give the URL exactly as the service expects it, with special characters percent-encoded"
        case .outsidePrefix: "check the URL; `eosvault credential show` prints the prefix"
        case .invalidMethod: "give a method such as GET or POST"
        case .invalidKeyID: "copy the public part of the API key again"
        case .invalidHeader: "check the name and the value of the header"
        case .invalidProfile: "`eosvault help credential add` lists the profiles and their parameters"
        case .invalidHTTPRequest:
            "check the method, the URL, the body and the options; `eosvault help credential sign` describes them"
        case .wrongProfile: "check the URL, or use a credential with that profile"
        case .plainHTTP: "use https, or give --insecure-http"
        case .timeOutsideWindow: "set the clock, or omit --time and the parameter timestamp"
        case .bodyFile: "give --body-out with a new file"
        case .invalidSecret: "copy the secret again, without white space"
        // Every error with one of these codes has its own hint.
        case .wrongPIN, .wrongPhrase, .noSlot, .whichPIN, .phraseLength, .severalKeys, .notAFile, .exists, .permissions,
            .incompleteFile, .readOnly, .relativeFolder, .sandbox, .noTerminal, .terminalTooSmall, .writableByOthers,
            .notDelivered,
            .notATransaction, .noChain, .retiredChain, .otherChain, .idDisagrees, .dataDisagrees, .membersDisagree,
            .invalidZlib, .noABI, .unknownAction, .actionNotBuiltIn, .abiDiffers, .abiTwice, .abiOfOtherAccount,
            .abiUnusableType, .undecodable, .reviewTooLong, .tooManySignatures, .nestedTooDeep, .proposalHash,
            .invalidRequest, .invalidCallback, .otherSigner, .requestKey, .missingReference,
            .otherTransaction, .dangerNotAllowed, .warningRefused, .actionNotAllowed,
            .changedSinceReview, .keyAdded, .invalidCharacter, .notAnABI,
            .notAKey, .nonceUsed:
            "run `eosvault help`, or add --help to the command"
        }
    }
}
