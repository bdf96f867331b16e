import ArgumentParser
import Files
import Glibc
import KeyVault
import SecureMemory

/// A folder for the files of one measurement. It is removed with its content at the end.
struct TemporaryFolder: ~Copyable {
    let path: String

    init() throws {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = [CChar]("\(parent)/eosvault-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw ExitCode.failure }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a new file.
    func write(_ bytes: [UInt8], to name: String) throws {
        try NewFile("\(path)/\(name)", holding: .publicData).write(bytes)
    }

    deinit {
        for name in (try? Folder.names(in: path)) ?? [] { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}

extension TemporaryFolder {
    static let pin = "correct horse"

    static func method() throws -> UnlockMethod { .pin(try PIN(SecureBytes(copyingPublic: pin.utf8))) }

    /// Makes a vault with the PIN, at the lowest KDF cost, and unlocks it.
    func makeVault(_ name: String = "vault.db", createdAt time: Int64) throws -> UnlockedVault {
        let path = "\(path)/\(name)"
        let method = try Self.method()
        try Vault.create(at: path, method: SlotSecret(of: method, cost: .leastInsecure), createdAt: time)
        return try Vault.open(path).unlock(method)
    }

    /// Runs `eosvault sign` with the vault, whose PIN is in the file `pin`.
    func sign(_ arguments: [String], with program: ReleaseProgram, vault: String = "vault.db") throws
        -> Double
    {
        try program.run(
            ["sign"] + arguments + signingOptions(vault), input: "/dev/null", output: "\(path)/result")
    }

    func signingOptions(_ vault: String = "vault.db") -> [String] {
        ["--chain", "eos", "--vault", "\(path)/\(vault)", "--pin-file", "\(path)/pin", "--yes"]
    }
}
