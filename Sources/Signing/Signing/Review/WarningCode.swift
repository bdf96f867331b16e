import ABICodec
import Transactions

/// The codes of warnings, for programs. A code never changes.
package enum WarningCode: String, CaseIterable, Sendable {
    case expired
    case shortWindow = "short-window"
    case tooEarly = "too-early"
    case noActions = "no-actions"
    case delay
    case extensions
    case contextFreeActions = "context-free-actions"
    case contextFreeData = "context-free-data"
    case blind
    case innerTransaction = "inner-transaction"
    case unknownChain = "unknown-chain"
    case foreignSystemContract = "foreign-system-contract"
    case nonCanonicalSignature = "non-canonical-signature"
    case unknownSigner = "unknown-signer"
    case duplicateSigner = "duplicate-signer"
    case abiOverride = "abi-override"
    case olderABI = "older-abi"
    case nullKey = "null-key"
    case uncheckedData = "unchecked-data"
    case beyondTAPOS = "beyond-tapos"
    case limits = "resource-limits"
    case nonce
    case unpinnedABI = "abi-unpinned"
    case senderABI = "sender-abi"
    case foreignSigner = "foreign-signer"
    case otherChainSigner = "other-chain-signature"
    case noAuthorization = "no-authorization"
    case duplicateAuthorization = "duplicate-authorization"
    case manyAuthorizations = "many-authorizations"
    case codeAuthorization = "code-authorization"
    case systemAuthorization = "system-authorization"
    case ownerUsed = "owner-used"
    case ownerChange = "owner-change"
    case activeChange = "active-change"
    case permissionChange = "permission-change"
    case permissionDelete = "permission-delete"
    case foreignKey = "foreign-key"
    case lockout
    case openAfterWait = "open-after-wait"
    case unreachableThreshold = "unreachable-threshold"
    case notBackedUp = "not-backed-up"
    case developmentKey = "development-key"
    case refusedAuthority = "refused-authority"
    case foreignAccount = "foreign-account"
    case codePermission = "code-permission"
    case lookAlikeKey = "look-alike-key"
    case link
    case wideLink = "wide-link"
    case unlink
    case permissionLimits = "permission-limits"
    case codeChange = "code-change"
    case abiChange = "abi-change"
    case privileged
    case otherToken = "other-token"
    case systemRecipient = "system-recipient"
    case emptyRecipient = "empty-recipient"
    case lookAlikeAccount = "look-alike-account"
    case unusedABI = "abi-unused"
    case exchange
    case invalidAmount = "invalid-amount"
    case payerAbsent = "payer-absent"
    case ramMoved = "ram-moved"
    case tokensDestroyed = "tokens-destroyed"
    case stakeGiven = "stake-given"
    case outlier
    case approvalWithoutHash = "approval-without-hash"
    case unseenProposal = "unseen-proposal"
    case unseenExecution = "unseen-execution"
    case otherMultisig = "other-multisig"
    case signedBefore = "signed-before"
    case summaryCut = "summary-cut"
}

extension Warning {
    package var code: WarningCode {
        switch self {
        case .transaction(let warning), .nested(_, let warning): warning.code
        case .signature(_, let warning): warning.code
        case .permission(_, let level, let warning): warning.code(of: level.permission)
        case .action(_, let warning): warning.code
        }
    }
}

extension TransactionWarning {
    fileprivate var code: WarningCode {
        switch self {
        case .expired: .expired
        case .shortWindow: .shortWindow
        case .tooEarly: .tooEarly
        case .beyondTAPOS: .beyondTAPOS
        case .noActions: .noActions
        case .delay: .delay
        case .extensions: .extensions
        case .limits: .limits
        case .contextFreeActions: .contextFreeActions
        case .nonce: .nonce
        case .contextFreeDataWithoutActions: .contextFreeData
        case .unknownChain: .unknownChain
        case .foreignSystemContract: .foreignSystemContract
        case .abiOverride: .abiOverride
        case .senderABI: .senderABI
        case .unpinnedABI: .unpinnedABI
        case .unusedABI: .unusedABI
        case .signedBefore: .signedBefore
        case .summaryCut: .summaryCut
        }
    }
}

extension SignatureWarning {
    fileprivate var code: WarningCode {
        switch self {
        case .nonCanonical: .nonCanonicalSignature
        case .unknownSigner: .unknownSigner
        case .duplicateSigner: .duplicateSigner
        case .foreignSigner: .foreignSigner
        case .otherChain: .otherChainSigner
        }
    }
}

extension PermissionWarning {
    fileprivate func code(of permission: Name) -> WarningCode {
        switch self {
        case .ownerUsed: .ownerUsed
        case .duplicateAuthorization: .duplicateAuthorization
        case .codeAuthorization: .codeAuthorization
        case .systemAuthorization: .systemAuthorization
        case .changed:
            switch permission.text {
            case "owner": .ownerChange
            case "active": .activeChange
            default: .permissionChange
            }
        case .deleted: .permissionDelete
        case .foreignKeys, .keysNotCompared: .foreignKey
        case .lockout: .lockout
        case .openAfterWait: .openAfterWait
        case .unreachableThreshold: .unreachableThreshold
        case .notBackedUp: .notBackedUp
        case .refusedAuthority: .refusedAuthority
        case .account: .foreignAccount
        case .code: .codePermission
        case .lookAlikeKey: .lookAlikeKey
        case .linked: .link
        case .linkedToAll: .wideLink
        }
    }
}

extension ActionWarning {
    fileprivate var code: WarningCode {
        switch self {
        case .blind: .blind
        case .olderABI: .olderABI
        case .uncheckedData: .uncheckedData
        case .nullKey: .nullKey
        case .noAuthorization: .noAuthorization
        case .manyAuthorizations: .manyAuthorizations
        case .unlinked: .unlink
        case .linkedToAny: .wideLink
        case .permissionLimits: .permissionLimits
        case .codeChange: .codeChange
        case .abiChange: .abiChange
        case .privileged: .privileged
        case .developmentKey: .developmentKey
        case .otherToken: .otherToken
        case .systemRecipient: .systemRecipient
        case .emptyRecipient: .emptyRecipient
        case .lookAlikeAccount: .lookAlikeAccount
        case .exchange: .exchange
        case .zeroAmount, .negativeAmount: .invalidAmount
        case .payerAbsent: .payerAbsent
        case .ramMoved: .ramMoved
        case .destroysTokens: .tokensDestroyed
        case .stakeGiven: .stakeGiven
        case .outlier: .outlier
        case .innerTransaction: .innerTransaction
        case .approvalWithoutHash: .approvalWithoutHash
        case .unseenProposal: .unseenProposal
        case .unseenExecution: .unseenExecution
        case .otherMultisig: .otherMultisig
        }
    }
}

/// A danger that a person confirms, or an option allows.
package struct Danger: Hashable, Sendable {
    package let code: WarningCode
    /// The account, or `ACCOUNT::ACTION` of an action that is signed as bytes. A person types it to
    /// confirm, and `--allow CODE=SUBJECT` names it.
    package let subject: String

    package init(code: WarningCode, subject: String) {
        self.code = code
        self.subject = subject
    }

    /// - Returns: nil for a warning that is not a danger.
    package init?(_ warning: Warning) {
        guard warning.severity == .danger else { return nil }
        code = warning.code
        // The empty name has no letters to type.
        let account = warning.account?.text ?? ""
        subject = account.isEmpty ? warning.action?.text ?? code.rawValue : account
    }
}

/// Warnings of one kind: the same code and the same severity.
package struct WarningGroup: Sendable {
    /// In the order of the actions. Never empty.
    package let warnings: [Warning]
    package let first: Warning

    package var code: WarningCode { first.code }
    package var severity: Severity { first.severity }

    private struct Key: Hashable {
        let code: WarningCode
        let severity: Severity
    }

    /// Groups warnings by code and severity, the most severe first.
    package static func all(_ warnings: [Warning]) -> [WarningGroup] {
        var order: [Key] = []
        var byKey: [Key: [Warning]] = [:]
        for warning in warnings {
            let key = Key(code: warning.code, severity: warning.severity)
            if byKey[key] == nil { order.append(key) }
            byKey[key, default: []].append(warning)
        }
        let groups = order.compactMap { key in
            byKey[key].flatMap { list in list.first.map { WarningGroup(warnings: list, first: $0) } }
        }
        return Severity.allCases.reversed().flatMap { severity in groups.filter { $0.severity == severity } }
    }
}
