import Codecs
import Glibc
import TestSupport
import Testing
import Tokens

/// The PIN of a token is only in guarded memory, in eosvault and in eosvault-token. The memory of
/// the process with the module of the vendor is not searched: its copies are its own.
struct TokenResidueTests {
    @Test func leavesNothing() throws {
        let fixture = try VaultFixture()
        let configuration = try Self.makeToken(fixture)
        for (name, arguments) in [
            ("sign with a token", ["sign", "transfer.json", "--chain", "eos", "--key", "token", "--yes"]),
            ("create in a token", ["create", "--token", "pkcs11:token=t", "--module", try Self.module()]),
        ] {
            let trial = Trial.by(name, arguments + ["--token-pin-file", "new-pin"]) { _, watch in
                watch.environment["SOFTHSM2_CONF"] = configuration
                watch.held = nil
            }
            let report = try trial.run(on: fixture)
            #expect(report.status == 0 && report.guarded > 0 && report.lateStarts == 0, "\(report.messages)")
            #expect(report.residues.isEmpty, "\(name): \(report.residues.prefix(12))")
        }
    }

    @Test func eosvaultTokenLeavesNothing() throws {
        let fixture = try VaultFixture()
        let configuration = try Self.makeToken(fixture)
        let pin = Array(fixture.newPIN.utf8)
        var watch = Watch(arguments: [], folder: try fixture.path)
        watch.path = try BuiltProgram.folder + "/eosvault-token"
        watch.environment["SOFTHSM2_CONF"] = configuration
        // A login fails without a session, after the PIN has taken its whole way.
        watch.input =
            try Self.frame(.load(module: Self.module(), milliseconds: 15_000), [])
            + Self.frame(.login(pinCount: UInt16(pin.count)), pin) + Self.frame(.list, [])
        let report = try watch.run(fixture.table)
        #expect(report.status == 0 && report.guarded > 0 && report.output.count > 12, "\(report.messages)")
        #expect(report.residues.isEmpty, "\(report.residues.prefix(12))")
    }

    private static func frame(_ request: TokenRequest, _ rest: [UInt8]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(integer: UInt32(4 + request.bytes.count + rest.count))
        writer.write(integer: UInt32(1))
        writer.write(bytes: request.bytes + rest)
        return writer.bytes
    }

    private static func module() throws -> String {
        try run("find /usr/lib -name libsofthsm2.so | head -n 1", in: "/").filter { $0 != "\n" }
    }

    /// A token whose PIN is the new PIN of the fixture, and a key in it with the label `token`.
    private static func makeToken(_ fixture: VaultFixture) throws -> String {
        let program = try BuiltProgram.path
        let folder = try fixture.path
        try run(
            """
            mkdir tokens; echo "directories.tokendir = $PWD/tokens" > softhsm2.conf
            export HOME=$PWD SOFTHSM2_CONF=$PWD/softhsm2.conf XDG_STATE_HOME=$PWD/state
            softhsm2-util --init-token --free --label t --so-pin 12345678 --pin "$(cat new-pin)"
            "\(program)" create --token pkcs11:token=t --module "\(module())" --label token \\
                --token-pin-file new-pin --vault data/vault.db --pin-file pin
            """, in: folder)
        return folder + "/softhsm2.conf"
    }

    @discardableResult
    private static func run(_ script: String, in folder: String) throws -> String {
        let (text, status) = try SystemProgram.run(["sh", "-ec", script], in: folder)
        try #require(status == 0, "\(text)")
        return text
    }
}
