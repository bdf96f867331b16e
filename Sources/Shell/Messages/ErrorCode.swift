/// The codes of errors.
package enum ErrorCode: String, MessageCode {
    // MARK: vault: input

    case wrongPIN = "wrong-pin", wrongPhrase = "wrong-phrase", noSlot = "no-slot", noSuchSlot = "no-such-slot",
        lastSlot = "last-slot", slotsFull = "slots-full", otherSlots = "other-slots", slotChanged = "slot-changed",
        whichPIN = "which-pin", pinEmpty = "pin-empty", pinTooShort = "pin-too-short", pinTooLong = "pin-too-long",
        pinNotASCII = "pin-not-ascii", mismatch, samePIN = "same-pin",
        keyFile = "key-file", phraseLength = "phrase-length",
        phraseWord = "phrase-word", phraseChecksum = "phrase-checksum", phraseNotConfirmed = "phrase-not-confirmed",
        walletSeed = "wallet-seed", kdfCost = "kdf-cost", invalidLabel = "invalid-label", labelExists = "label-exists",
        labelAlike = "label-alike",
        keyExists = "key-exists", noSuchKey = "no-such-key", noKeys = "no-keys", severalKeys = "several-keys",
        unsupportedKind = "unsupported-kind", neverBackedUp = "never-backed-up", notConfirmed = "not-confirmed",
        changedMeanwhile = "changed-meanwhile", policy, r1Import = "r1-import", blsImport = "bls-import",
        notOneKey = "not-one-key", keyMismatch = "key-mismatch", noPublicKey = "no-public-key",
        developmentKey = "development-key", notKeosdList = "not-keosd-list",
        signatureProvider = "signature-provider", nothingToImport = "nothing-to-import", export,
        nothingRescued = "nothing-rescued", noPinnedABI = "no-pinned-abi", pinnedABIsFull = "pinned-abis-full",
        notAnArchive = "not-an-archive", archiveOfOtherVault = "archive-of-other-vault",
        nothingToArchive = "nothing-to-archive", archivesNotConsecutive = "archives-not-consecutive",
        noSuchCredential = "no-such-credential", notAKey = "not-a-key", nonceUsed = "nonce-used"

    // MARK: vault: files

    case noVault = "no-vault", notAVault = "not-a-vault", vaultFile = "vault-file", notAFile = "not-a-file",
        newerVersion = "newer-version",
        exists, invalidPath = "invalid-path", reservedName = "reserved-name", notOwned = "not-owned", permissions,
        strayWAL = "stray-wal", strayJournal = "stray-journal", unfinishedChange = "unfinished-change", replaced,
        hardLink = "hard-link", vaultFull = "vault-full", incompleteFile = "incomplete-file", readBack = "read-back",
        backupNotRecorded = "backup-not-recorded"

    // MARK: vault: the machine

    case busy, diskFull = "disk-full", readOnly = "read-only", commitUncertain = "commit-uncertain", system, sqlite,
        clock, notEnoughMemory = "not-enough-memory", noGuardedMemory = "no-guarded-memory",
        relativeFolder = "relative-folder", noHome = "no-home", readableProcess = "readable-process",
        smallStack = "small-stack", sandbox

    // MARK: vault: integrity

    case damaged, schemaAltered = "schema-altered", slotsDamaged = "slots-damaged", auditLog = "audit-log",
        manifestMismatch = "manifest-mismatch", rolledBack = "rolled-back", forked,
        witnessUnreadable = "witness-unreadable", faulty, entryDamaged = "entry-damaged",
        budgetExceeded = "budget-exceeded", archiveDamaged = "archive-damaged"

    // MARK: commands, questions, and other files

    case usage, secretArgument = "secret-argument", notUTF8 = "not-utf8", declined, noAnswer = "no-answer",
        typedAhead = "typed-ahead",
        noTerminal = "no-terminal", noSuchFile = "no-such-file", isDirectory = "is-directory", empty, terminal,
        unreadable, unwritable, writableByOthers = "writable-by-others", notDelivered = "not-delivered",
        terminalTooSmall = "terminal-too-small",
        tooLong = "too-long", internalError = "internal"

    // MARK: transactions and signatures

    case notATransaction = "not-a-transaction", noChain = "no-chain", unknownChain = "unknown-chain",
        retiredChain = "retired-chain", otherChain = "other-chain", idDisagrees = "id-disagrees",
        dataDisagrees = "data-disagrees", membersDisagree = "members-disagree",
        unknownCompression = "unknown-compression", invalidZlib = "invalid-zlib", noABI = "no-abi",
        unknownAction = "unknown-action", actionNotBuiltIn = "action-not-built-in", abiDiffers = "abi-differs",
        abiTwice = "abi-twice", abiOfOtherAccount = "abi-of-other-account", abiUnusableType = "abi-unusable-type",
        undecodable, reviewTooLong = "review-too-long",
        tooManySignatures = "too-many-signatures", nestedTooDeep = "nested-too-deep", proposalHash = "proposal-hash",
        otherTransaction = "other-transaction", unusableSignature = "unusable-signature",
        accountTwice = "account-twice", invalidCode = "invalid-code", codesMissing = "codes-missing",
        severalMessages = "several-messages", noTransactionMessage = "no-transaction-message", dangerNotAllowed =
        "danger-not-allowed", warningRefused = "warning-refused", actionNotAllowed = "action-not-allowed",
        idTwice = "id-twice", tooManyTotals = "too-many-totals", changedSinceReview =
        "changed-since-review",
        keyAdded = "key-added", recoveredOtherKey = "recovered-other-key", faultyNonce = "faulty-nonce",
        noCanonicalSignature = "no-canonical-signature", signingUnsupported = "signing-unsupported",
        libraryFailure = "library-failure"

    // MARK: signing requests

    case notARequest = "not-a-request", invalidRequest = "invalid-request", invalidCallback = "invalid-callback",
        otherSigner = "other-signer", requestKey = "request-key", missingReference = "missing-reference"

    // MARK: policies

    case policySyntax = "policy-syntax", policyTooLarge = "policy-too-large", policyVersion = "policy-version",
        policyMember = "policy-member", policyValue = "policy-value", policyChain = "policy-chain",
        policyIdentity = "policy-identity", policyHours = "policy-hours", policyExpiration = "policy-expiration",
        policyActions = "policy-actions", policyCosigner = "policy-cosigner", policyWarning = "policy-warning",
        policyContextFree = "policy-context-free", policyUndecoded = "policy-undecoded",
        policyNoRule = "policy-no-rule", policyRule = "policy-rule", policyProposal = "policy-proposal",
        policyABI = "policy-abi", policyAmount = "policy-amount", policyLimit = "policy-limit",
        policyHistory = "policy-history", policyConfirm = "policy-confirm", policyClock = "policy-clock",
        policyReadOnly = "policy-read-only", policyLog = "policy-log", noPolicy = "no-policy",
        secondMethodNeeded = "second-method-needed"

    // MARK: HTTP requests

    case invalidURL = "invalid-url", outsidePrefix = "outside-prefix", invalidMethod = "invalid-method",
        invalidKeyID = "invalid-key-id", invalidHeader = "invalid-header", invalidProfile = "invalid-profile",
        invalidHTTPRequest = "invalid-http-request", wrongProfile = "wrong-profile", plainHTTP = "plain-http",
        timeOutsideWindow = "time-outside-window", bodyFile = "body-file", invalidSecret = "invalid-secret"

    // MARK: new transactions

    case unknownToken = "unknown-token", tokenPrecision = "token-precision", invalidAmount = "invalid-amount",
        invalidPermission = "invalid-permission", invalidAuthority = "invalid-authority",
        invalidAction = "invalid-action", otherAccount = "other-account", notABlock = "not-a-block",
        notAProposal = "not-a-proposal"

    // MARK: text of keys and signatures

    case emptyKey = "empty-key", invalidCharacter = "invalid-character", unknownPrefix = "unknown-prefix",
        unknownCurve = "unknown-curve", checksumMismatch = "checksum-mismatch",
        checksumOfOtherForm = "checksum-of-other-form", compressedWIF = "compressed-wif",
        singleHashWIF = "single-hash-wif", wrongWIFVersion = "wrong-wif-version",
        privateKeyGiven = "private-key-given", publicKeyGiven = "public-key-given", fioKey = "fio-key",
        notOnCurve = "not-on-curve", scalarOutOfRange = "scalar-out-of-range", invalidKey = "invalid-key",
        invalidSignature = "invalid-signature", notRecoverable = "not-recoverable"

    // MARK: ABIs and values

    case invalidJSON = "invalid-json", invalidUTF8 = "invalid-utf8", wrongType = "wrong-type",
        missingField = "missing-field", unknownField = "unknown-field", duplicateField = "duplicate-field",
        extensionGap = "extension-gap", unknownAlternative = "unknown-alternative",
        invalidOptional = "invalid-optional", nestedAbsence = "nested-absence", tooDeep = "too-deep",
        tooManyElements = "too-many-elements", wrongLength = "wrong-length", outOfRange = "out-of-range",
        invalidBool = "invalid-bool", invalidInteger = "invalid-integer", invalidFloat = "invalid-float",
        invalidName = "invalid-name", invalidAsset = "invalid-asset", invalidSymbol = "invalid-symbol",
        invalidTime = "invalid-time", invalidBitset = "invalid-bitset", unprintable, invalidHex = "invalid-hex",
        oddHex = "odd-hex", invalidBase58 = "invalid-base58", invalidBase64 = "invalid-base64",
        invalidVaruint = "invalid-varuint", cutShort = "cut-short", trailingBytes = "trailing-bytes",
        notAnABI = "not-an-abi", abiVersion = "abi-version", abiHash = "abi-hash", abiTooLong = "abi-too-long",
        abiDuplicate = "abi-duplicate", abiTypeExists = "abi-type-exists", unknownType = "unknown-type",
        circularAlias = "circular-alias", circularBase = "circular-base", invalidBase = "invalid-base",
        misplacedExtension = "misplaced-extension"

    // MARK: test vectors

    case noVectors = "no-vectors", notVectors = "not-vectors", unknownKind = "unknown-kind"
}
