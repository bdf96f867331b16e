/// The exit statuses of the program. A command throws one to end after it has printed all messages.
package enum ExitStatus: Int32, Error, CaseIterable {
    case done = 0
    case failed = 1
    case declined = 2
    case refused = 3
    /// EX_USAGE of sysexits(3).
    case usage = 64
    /// EX_UNAVAILABLE.
    case noAgent = 69
    /// EX_TEMPFAIL.
    case busy = 75
    /// EX_NOPERM.
    case wrongSecret = 77

    package var meaning: String {
        switch self {
        case .done: "the command did what was asked"
        case .failed: "the command refused or failed, or it found errors or faults"
        case .declined: "the person at the terminal declined, or did not answer"
        case .refused: "a policy, --refuse, or a missing --allow or --allow-action refused the signature"
        case .usage: "the command, an option or an argument is wrong"
        case .noAgent: "no eosvault-agent answers at the socket"
        case .busy: "another process is using the vault: try again"
        case .wrongSecret: "the PIN, the key file or the recovery phrase is wrong"
        }
    }

    /// The status after an error with this code.
    package init(after code: ErrorCode) { self = Self(rawValue: code.status) ?? .failed }
}
