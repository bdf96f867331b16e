import ArgumentParser
import Glibc
import JSON
import Sandbox

struct Doctor: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Look at this machine: what it offers to a signer without a network, and what it lacks.",
        discussion: """
            It needs no vault and no PIN, and changes nothing. A warning is for what puts secrets at risk, a note for what is good \
            to know. The exit status is 0 whatever was found; with --strict it is 1 when there is a warning.

              eosvault doctor
              eosvault doctor --json
            """)

    @Flag(name: .long, help: "Exit with status 1 when there is a warning.")
    var strict = false

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var touches: FileAccess { .none }

    func lookAround() { _ = Examination.ofThisMachine }

    func run() throws {
        let examination = Examination.ofThisMachine
        let findings = examination.findings
        if json.isOn {
            try Output.json(Self.json(findings, kernel: examination.kernelVersion), .pretty)
        } else {
            let table = FindingTable(findings: findings, colored: Self.isColored)
            try Output.data(table.text + "\n\(Words.summary(of: findings))\n")
        }
        if strict, findings.contains(where: { $0.state == .warning }) { throw ExitStatus.someFailed }
    }

    private static func json(_ findings: [Finding], kernel: String?) -> JSONValue {
        .object([
            JSONMember("version", .string(Eosvault.version)), JSONMember("kernel", kernel.map { .string($0) } ?? .null),
            JSONMember("warning_count", .number("\(findings.count { $0.state == .warning })")),
            JSONMember("note_count", .number("\(findings.count { $0.state == .note })")),
            JSONMember("findings", .array(findings.map(\.json))),
        ])
    }

    /// On a terminal that has colours, unless they are not wanted (https://no-color.org).
    private static var isColored: Bool {
        isatty(STDOUT_FILENO) == 1 && Environment["NO_COLOR"]?.isEmpty != false && Environment["TERM"] != "dumb"
    }
}
