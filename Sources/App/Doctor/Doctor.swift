import ArgumentParser
import Glibc
import JSON
import Shell

struct Doctor: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check whether this machine is suitable for offline signing.",
        discussion: """
            This command needs no vault and no PIN, and changes nothing. A warning reports a risk to secrets. A note \
            reports other useful facts. The exit status is 0; with --strict it is 1 if there is a warning.

              eosvault doctor
              eosvault doctor --json
            """)

    @Flag(help: "Exit with status 1 if there is a warning.")
    var strict = false

    @OptionGroup var common: CommonOptions

    func inspectMachine() { _ = Examination.ofThisMachine }

    func run() throws {
        let examination = Examination.ofThisMachine
        let findings = examination.findings
        if json.isOn {
            try Output.json(Self.json(findings, kernel: examination.kernelVersion))
        } else {
            let columns = TerminalSize.ofStandardOutput?.columns
            let table = FindingTable(findings: findings, colored: Self.isColored, columns: columns)
            try Output.data(table.text)
            try Output.report("\n\(Words.summary(of: findings))\n")
        }
        if strict, findings.contains(where: { $0.state == .warning }) { throw ExitStatus.failed }
    }

    private static func json(_ findings: [Finding], kernel: String?) -> JSONValue {
        [
            "version": .string(Eosvault.version), "kernel": .string(kernel),
            "warning_count": .number(findings.count { $0.state == .warning }),
            "note_count": .number(findings.count { $0.state == .note }), "findings": .array(findings.map(\.json)),
        ]
    }

    /// Whether standard output is a terminal with colours and NO_COLOR is not set
    /// (https://no-color.org).
    private static var isColored: Bool {
        isatty(STDOUT_FILENO) == 1 && Environment["NO_COLOR"]?.isEmpty != false && Environment["TERM"] != "dumb"
    }
}
