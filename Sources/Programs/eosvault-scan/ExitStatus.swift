import JSON

/// The exit statuses of the program.
enum ExitStatus: Int32, CaseIterable {
    case done = 0
    case failed = 1
    /// EX_USAGE of sysexits(3).
    case usage = 64

    var meaning: String {
        switch self {
        case .done: "the message was written"
        case .failed: "there is no complete message, or an error occurred"
        case .usage: "an option or an argument is wrong"
        }
    }

    /// `{"exit_statuses": [{"status", "meaning"}]}`
    static var json: JSONValue {
        [
            "exit_statuses": .array(
                allCases.map { ["status": .number($0.rawValue), "meaning": .string($0.meaning)] })
        ]
    }
}
