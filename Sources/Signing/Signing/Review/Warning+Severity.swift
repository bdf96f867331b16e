import ABICodec
import Transactions

extension Warning {
    package var severity: Severity {
        guard case .permission(_, let level, let warning) = self, warning.isDanger(for: level) else {
            return code.severities.first ?? .warning
        }
        return .danger
    }
}

extension WarningCode {
    /// The severities with which the code occurs, the lowest first. Never empty.
    package var severities: [Severity] {
        switch self {
        case .ownerChange, .activeChange, .lockout, .openAfterWait, .unreachableThreshold, .lookAlikeKey, .wideLink,
            .codeChange, .notBackedUp, .developmentKey,
            .privileged, .blind, .approvalWithoutHash, .unseenProposal, .unseenExecution, .abiOverride:
            [.danger]
        case .foreignKey, .foreignAccount, .codePermission, .link: [.warning, .danger]
        case .limits, .nonce, .exchange: [.note]
        default: [.warning]
        }
    }
}

extension PermissionWarning {
    /// Whether a warning whose code has two severities is a danger.
    ///
    /// A permission other than owner and active belongs to an account that exists, because
    /// `newaccount` sets only these two. A change of owner or active is a danger with its own code.
    /// Someone else in another permission needs only a link to take the tokens.
    fileprivate func isDanger(for level: PermissionLevel) -> Bool {
        guard !["owner", "active"].contains(level.permission.text) else { return false }
        return switch self {
        case .foreignKeys: true
        case .account(let added), .code(let added): added.level.actor != level.actor
        case .linked(let link): link.isRisky
        case .ownerUsed, .duplicateAuthorization, .codeAuthorization, .systemAuthorization, .changed, .deleted,
            .keysNotCompared, .lockout, .openAfterWait, .unreachableThreshold, .refusedAuthority, .lookAlikeKey,
            .linkedToAll, .notBackedUp:
            false
        }
    }
}
