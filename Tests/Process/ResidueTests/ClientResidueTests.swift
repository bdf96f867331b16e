import TestSupport
import Testing

/// Watches the command of eosvault-agent that sends a secret to the agent: it is only in guarded
/// memory, and gone before the command prints its result.
struct ClientResidueTests {
    enum Method: CaseIterable {
        case typedPIN, pinFile, keyFile, recoveryFile, wrongPIN

        var arguments: [String] {
            switch self {
            case .typedPIN: []
            case .pinFile: ["--pin-file", "pin"]
            case .keyFile: ["--pin-file", "pin", "--keyfile", "stick/vault.key"]
            case .recoveryFile: ["--recovery-file", "phrase"]
            case .wrongPIN: ["--pin-file", "wrong-pin"]
            }
        }
    }

    @Test(arguments: Method.allCases) func unlockLeavesNothing(_ method: Method) throws {
        let fixture = try VaultFixture()
        let folder = try fixture.path
        let program = try BuiltProgram.path + "-agent"
        let environment = [
            "HOME": folder, "XDG_RUNTIME_DIR": folder + "/run", "XDG_STATE_HOME": folder + "/state",
        ]
        let agent = try BackgroundAgent(program, ["--vault", "data/vault.db"], environment, in: folder)
        var watch = Watch(arguments: ["unlock"] + method.arguments, folder: folder)
        (watch.path, watch.environment, watch.held) = (program, environment, [])
        if method == .typedPIN { watch.answers = [.line(fixture.pin)] }
        let report = try watch.run(fixture.table)
        #expect(report.status == (method == .wrongPIN ? 77 : 0), "\(report.messages)")
        #expect(report.guarded > 0, "no secret was found in guarded memory")
        #expect(report.lateStarts == 0)
        #expect(report.residues.isEmpty, "\(report.residues.prefix(12).joined(separator: "\n"))")
        withExtendedLifetime(agent) {}
    }
}
