import ArgumentParser
import Glibc
import Hardening
import JSON
import Shell

struct Doctor: JSONCommand, TokenCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check whether this machine is suitable for offline signing.",
        discussion: """
            The command needs no vault and changes nothing. A warning reports a risk to secrets, and a note another \
            useful fact.

              eosvault doctor
              eosvault doctor --json

            With --tpm or --fido2, it also asks that device, without a PIN, how many wrong PINs it accepts. With \
            --module, it also loads that PKCS#11 module and reports its tokens, without a PIN.
            """)

    @Flag(help: "Exit with status 1 if there is a warning.")
    var strict = false

    @OptionGroup var devices: DeviceStateOptions
    @OptionGroup var modules: ModuleOptions
    @OptionGroup var common: CommonOptions

    var mayUseTokens: Bool { !modules.module.isEmpty }
    var namedModules: [String] { modules.module }

    var requiredAccess: FileAccess { devices.fileAccess }

    func inspectMachine() { _ = Examination.ofThisMachine }

    func run() throws {
        let examination = Examination.ofThisMachine
        let findings = try examination.findings + devices.states().findings + tokenFindings()
        if json.isOn {
            try Output.json(Self.object.json((findings, examination.kernelVersion)))
        } else {
            let columns = TerminalSize.ofStandardOutput?.columns
            let table = FindingTable(findings: findings, colored: Self.isColored, columns: columns)
            try Output.data(table.text)
            let (warnings, notes) = (findings.count(of: .warning), findings.count(of: .note))
            try Output.report("\n\(Words.count(warnings, "warning")), \(Words.count(notes, "note"))\n")
        }
        if strict, findings.count(of: .warning) > 0 { throw ExitStatus.failed }
    }

    static let object = JSONObject<(findings: [Finding], kernel: String?)>([
        .text("version", "of eosvault") { _ in Eosvault.version },
        .text(orNull: "kernel", "the version of Linux") { $0.kernel },
        .number("warning_count", "the warnings") { $0.findings.count(of: .warning) },
        .number("note_count", "the notes") { $0.findings.count(of: .note) },
        .list("findings", of: Finding.object, "what was inspected") { $0.findings },
    ])

    /// True if standard output is a terminal with colours and NO_COLOR is not set
    /// (https://no-color.org).
    private static var isColored: Bool {
        isatty(STDOUT_FILENO) == 1 && Environment["NO_COLOR"]?.isEmpty != false
            && Environment["TERM"] != "dumb"
    }
}
