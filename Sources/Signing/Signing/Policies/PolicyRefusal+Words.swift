import JSON
import Keys
import Messages
import Policy

extension PolicyRefusal: WordedError {
    package var words: Words {
        let words = reasonWords
        return Words(words.code, words.message, hint: words.hint, members: ["policy": json]).advised(
            for: self
        )
        .at(key.publicKey.text)
    }

    /// Without the key.
    package var reasonWords: Words {
        switch reason {
        case .denied(let denial): denial.words(of: policy)
        case .needsConfirmation(.always):
            Words(.policyConfirm, "the policy requires that a person confirms each transaction")
        case .needsConfirmation(.clockStep(let seconds)):
            Words(
                .policyConfirm,
                "the clock is \(Amount.duration(Int64(seconds))) after the last record of the vault")
        case .notCounted:
            Words(.policyReadOnly, "the vault can't be written, so the policy can't count the signature")
        }
    }

    /// The fields for programs.
    private var json: JSONValue {
        let key: JSONValue = [
            "key": .string(key.publicKey.text), "all_keys": .boolean(subject == .allKeys),
        ]
        switch reason {
        case .denied(let denial): return key.adding(denial.json(of: policy))
        case .needsConfirmation(.always): return key.adding(["member": .string("/transaction/confirm")])
        case .needsConfirmation(.clockStep(let seconds)):
            return key.adding(["value": .number(seconds), "maximum": .number(KeyPolicy.maximumClockStep)])
        case .notCounted: return key
        }
    }
}
