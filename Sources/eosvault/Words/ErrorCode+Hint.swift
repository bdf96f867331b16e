extension ErrorCode {
    /// The hint for errors that have no hint in their own text.
    var hint: String {
        switch self {
        case .noSuchFile: "relative paths start at the current folder; `-` means standard input"
        case .isDirectory: "give a file in that folder"
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
        case .pinEmpty, .pinTooLong: "a PIN has 6 to 1024 printable ASCII characters"
        case .scalarOutOfRange, .wrongWIFVersion, .invalidKey, .invalidSignature, .notRecoverable, .unknownPrefix:
            "export it again from the tool that made it"
        case .invalidLabel: "a label has 1 to 64 letters, digits and symbols, and spaces between them"
        case .kdfCost: "omit --kdf-passes and --kdf-memory: the defaults suit most machines"
        case .declined: "nothing was done"
        case .noAnswer: "nothing was done; in a script, give --pin-file and --yes"
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
            "to use this older copy, give --accept-rollback once; it lacks the keys that were added later"
        case .invalidName: "a name has up to 12 characters (a to z, 1 to 5, dots), and maybe a 13th (a to j, 1 to 5)"
        case .recoveredOtherKey, .faultyNonce, .noCanonicalSignature, .libraryFailure:
            "the hardware may be faulty: try again; if it fails again, use another machine"
        case .unknownChain: "give a name that `eosvault chains` lists, or a chain id of 64 hex digits"
        case .unknownToken, .tokenPrecision, .invalidAmount, .invalidPermission, .invalidAuthority, .invalidAction,
            .otherAccount, .notABlock, .notAProposal:
            "run `eosvault help build`, or add --help to the command"
        // Every error with one of these codes has its own hint.
        case .wrongPIN, .wrongPhrase, .noSlot, .noSuchSlot, .lastSlot, .slotsFull, .otherSlots, .slotChanged, .whichPIN,
            .pinTooShort, .pinNotASCII, .mismatch, .keyFile, .phraseLength, .phraseWord, .phraseChecksum,
            .phraseNotConfirmed, .walletSeed, .labelExists, .keyExists, .noSuchKey, .noKeys, .severalKeys,
            .neverBackedUp, .notConfirmed, .changedMeanwhile, .policy, .r1Import, .export, .nothingRescued,
            .noPinnedABI,
            .pinnedABIsFull, .noVault,
            .notAVault, .notAFile, .newerVersion, .exists, .reservedName, .notOwned, .permissions, .strayWAL,
            .strayJournal, .unfinishedChange, .replaced, .hardLink, .vaultFull, .incompleteFile, .readBack,
            .backupNotRecorded, .busy, .diskFull, .readOnly, .commitUncertain, .clock, .notEnoughMemory,
            .noGuardedMemory, .relativeFolder, .noHome, .readableProcess, .smallStack, .sandbox, .auditLog,
            .witnessUnreadable, .faulty, .usage, .secretArgument, .notUTF8, .noTerminal, .terminal, .writableByOthers,
            .notDelivered, .internalError, .notATransaction, .noChain, .retiredChain, .otherChain, .idDisagrees,
            .dataDisagrees, .membersDisagree, .invalidZlib, .noABI, .unknownAction, .actionNotBuiltIn, .abiDiffers,
            .abiTwice, .abiOfOtherAccount, .abiUnusableType, .undecodable, .reviewTooLong, .tooManySignatures, .nestedTooDeep, .proposalHash, .otherTransaction, .dangerNotAllowed, .changedSinceReview,
            .keyAdded, .signingUnsupported, .invalidCharacter, .checksumOfOtherForm, .compressedWIF, .singleHashWIF,
            .privateKeyGiven, .publicKeyGiven, .fioKey, .invalidInteger, .invalidTime, .notAnABI, .abiVersion, .abiHash:
            "run `eosvault help`, or add --help to the command"
        }
    }
}
