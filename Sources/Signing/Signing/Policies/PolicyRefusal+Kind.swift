import Messages
import Policy

extension PolicyRefusal {
    /// The kind of the refusal, for the log.
    package var kind: Kind {
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
        return Kind(key: key.publicKey, code: code.name, part: part)
    }

    /// The code of the error that reports it.
    package var code: ErrorCode {
        switch reason {
        case .denied(let denial): denial.reason.code
        case .needsConfirmation: .policyConfirm
        case .notCounted: .policyReadOnly
        }
    }
}
