/// The exit statuses of the program. A command throws one to end after it has printed all messages.
enum ExitStatus: Int32, Error, CaseIterable {
    case done = 0
    case failed = 1
    /// EX_USAGE of sysexits(3).
    case usage = 64

    var meaning: String {
        switch self {
        case .done: "the command did what was asked"
        case .failed: "the command refused or failed, or it found errors or faults"
        case .usage: "the command, an option or an argument is wrong"
        }
    }
}
