import Codecs
import Files
import Glibc
import TestSupport
import Testing

@testable import TPM

/// tpm2-tools, an independent program, makes the same storage key and unseals what this module
/// seals.
@Suite struct ToolsTests {
    @Test(arguments: [[], [0, 16]]) func unseal(registers: [Int]) throws {
        let tpm = try SoftwareTPM()
        let sealed = try tpm.device { try $0.sealed(7, 1, registers: registers) }
        let files: [(String, [UInt8])] = [
            ("public", sized(sealed.publicArea)), ("private", sized(sealed.privateArea)),
            ("authorization", [UInt8](repeating: 1, count: 32)),
        ]
        for (name, bytes) in files { try write(bytes, to: "\(tpm.folder.path)/\(name)") }
        let run = try SystemProgram.run([
            BuiltProgram.debugFolder + "/with-tpm", tpm.folder.path + "/state", "python3",
            repositoryRoot + "/Tests/TPM/tools.py", tpm.folder.path,
            registers.map { "\($0)" }.joined(separator: ","),
        ])
        let secret = [UInt8](repeating: 7, count: 32)
        #expect(run.text == "\(Hex.encode(sealed.primaryName)) \(Hex.encode(secret))\n")
        #expect(run.status == 0)
    }

    private func sized(_ bytes: [UInt8]) -> [UInt8] {
        var packing = Packing()
        packing.write(sized: bytes)
        return packing.bytes
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        defer { close(file) }
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw SystemFailure("write") }
    }
}
