import KeyVault
import Policy

extension PolicyRefusal {
    /// What the log records of the refusal.
    package var kind: PolicyRefusals.Kind {
        var part = ""
        if case .denied(let denial) = reason {
            switch denial.part {
            case .policy: part = denial.member
            case .rule(let index): part = "/rules/\(index)"
            case .amount(let index): part = "/amounts/\(index)"
            case .limit(let index): part = "/limits/\(index)"
            }
        } else if case .needsConfirmation(.always) = reason {
            part = "/transaction/confirm"
        }
        return PolicyRefusals.Kind(key: EntryName(key.publicKey), code: code, part: part)
    }

    /// The code of the error that reports it.
    package var code: String {
        switch reason {
        case .denied(let denial): denial.reason.code
        case .needsConfirmation(.always): "policy-confirm"
        case .needsConfirmation(.clockStep): "policy-clock"
        case .notCounted: "policy-read-only"
        }
    }
}

extension PolicyDenial.Reason {
    fileprivate var code: String {
        switch self {
        case .chain: "policy-chain"
        case .identity: "policy-identity"
        case .hours: "policy-hours"
        case .expiration: "policy-expiration"
        case .actionCount, .noActions: "policy-actions"
        case .warnings: "policy-warning"
        case .cosigner: "policy-cosigner"
        case .contextFree: "policy-context-free"
        case .undecoded: "policy-undecoded"
        case .noRule: "policy-no-rule"
        case .authorization, .field: "policy-rule"
        case .unknownProposal: "policy-proposal"
        case .givenABI: "policy-abi"
        case .unreadableAmount, .unreadablePayment, .otherPrecision: "policy-amount"
        case .limit: "policy-limit"
        case .roomFull: "policy-history"
        }
    }
}
