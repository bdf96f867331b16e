import CChild
import Files
import Glibc
import SecureMemory
import TestSupport

@testable import TPM

/// A TPM of swtpm with its state in a temporary folder (`Tests/TPM/with-tpm.c`).
final class SoftwareTPM {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    struct Failed: Error {
        let status: Int32
    }

    /// Runs the TPM while `body` runs.
    /// - Parameter options: of with-tpm.
    func run<Result>(_ options: [String] = [], _ body: (FileDescriptor) throws -> Result) throws -> Result {
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw SystemFailure("socketpair") }
        let arguments =
            [BuiltProgram.debugFolder + "/with-tpm", folder.path + "/state"] + options + ["--serve"]
        let process = try SystemProgram.start(arguments, ends[1], STDERR_FILENO, STDERR_FILENO)
        close(ends[1])
        let result = Swift.Result { try body(FileDescriptor(ends[0])) }
        close(ends[0])
        var status: Int32 = 0
        waitpid(process, &status, 0)
        guard status == 0 else { throw Failed(status: status >> 8) }
        return try result.get()
    }

    /// Runs the TPM while `body` uses it.
    func device<Result>(
        _ options: [String] = [], milliseconds: Int = 10_000, _ body: (borrowing TPMDevice) throws -> Result
    ) throws -> Result {
        try run(options) { try body(try TPMDevice($0, milliseconds: milliseconds)) }
    }
}

/// The bytes of a secret.
func bytes(_ secret: borrowing SecureBytes) -> [UInt8] {
    secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
}

func secret(_ byte: UInt8) throws -> SecureBytes {
    try SecureBytes(copyingPublic: [UInt8](repeating: byte, count: 32))
}

/// The error of `body`; nil if it throws none.
func error(of body: () throws -> Void) -> TPMError? {
    do { try body() } catch { return error as? TPMError }
    return nil
}

extension TPMDevice {
    /// The bytes of the unsealed secret.
    borrowing func unsealedBytes(_ sealed: SealedSecret, _ byte: UInt8) throws -> [UInt8] {
        bytes(try unseal(sealed, authorization: secret(byte)))
    }

    borrowing func sealed(_ value: UInt8, _ authorization: UInt8, registers: [Int] = []) throws
        -> SealedSecret
    {
        try seal(secret(value), authorization: secret(authorization), registers: registers)
    }
}

extension TPMDevice {
    init(_ descriptor: FileDescriptor, milliseconds: Int = 30_000) throws {
        try self.init(OpenFile(inherited: descriptor.number), milliseconds: milliseconds)
    }
}
