import Keys
import Messages
import Policy
import Signing

extension PolicyRefusal {
    /// Advice that names commands and options with the values of the refusal.
    var eosvaultHint: String {
        let place =
            isStored
            ? "`eosvault policy show \(subject == .allKeys ? "--all" : key.publicKey.text)` shows the policy"
            : "the policy is in the file of --policy"
        return [reasonHint, clockHint, place].compactMap(\.self).joined(separator: "; ")
    }

    private var reasonHint: String {
        guard case .needsConfirmation(.clockStep) = reason else { return reasonWords.hint }
        return
            "check the date of this machine; if it is right, run a command that makes a record, such as `eosvault "
            + "backup FILE`, or sign one transaction at a terminal, without --yes and --lines"
    }

    /// For a denial that depends on the time of the last record.
    private var clockHint: String? {
        guard clockLag >= 60, case .denied(let denial) = reason else { return nil }
        switch denial.reason {
        case .limit, .hours, .roomFull:
            return
                "the clock is \(Amount.duration(Int64(clockLag))) behind the last record of the vault; if it was "
                + "wrong then, run `eosvault policy clock-corrected`"
        default: return nil
        }
    }
}
