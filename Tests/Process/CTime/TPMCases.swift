import CMemcheck
import Files
import Glibc
import SecureMemory
import TPM

/// The secrets of a session with a TPM. The TPM is swtpm, which valgrind does not watch.
enum TPMCases {
    static let all = [
        Case("TPM: seal and unseal") {
            try withTPM { device in
                let value = try secret("0123456789abcdef0123456789abcdef")
                let authorization = try secret("an authorization of 32 bytes....")
                for registers in [[], [16]] {
                    let sealed = try device.seal(value, authorization: authorization, registers: registers)
                    let unsealed = try device.unseal(sealed, authorization: authorization)
                    try expectSecret(unsealed, "the unsealed secret")
                    try expect(unsealed.isEqual(to: value), "the secret differs")
                    try expectSecret(authorization, "the authorization")
                }
            }
        },
        Case("TPM: wrong authorization") {
            try withTPM { device in
                let sealed = try device.seal(
                    secret("0123456789abcdef0123456789abcdef"),
                    authorization: secret("an authorization of 32 bytes...."))
                let wrong = try secret("another one of 32 bytes.........")
                var refusal: TPMError?
                do throws(TPMError) { _ = try device.unseal(sealed, authorization: wrong) } catch {
                    refusal = error
                }
                guard case .wrongAuthorization = refusal else {
                    throw Unexpected(description: "refused with \(String(describing: refusal))")
                }
                try expectSecret(wrong, "the authorization")
            }
        },
    ]

    /// Runs swtpm on one end of a pair of sockets, with its state in a new folder.
    private static func withTPM(_ body: (borrowing TPMDevice) throws -> Void) throws {
        var template = Array("/tmp/eosvault-ctime-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw Unexpected(description: "no folder") }
        let folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer {
            for name in ["tpm2-00.permall", ".lock"] { unsafe unlink("\(folder)/\(name)") }
            unsafe rmdir(folder)
        }
        var ends: [Int32] = [-1, -1]
        let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, kind, 0, &ends) == 0 else {
            throw Unexpected(description: "no socket")
        }
        let process = try start(
            [
                "swtpm", "chardev", "--tpm2", "--fd", "3", "--tpmstate", "dir=\(folder)",
                "--flags", "not-need-init,startup-clear",
            ], socket: ends[1])
        close(ends[1])
        defer {
            close(ends[0])
            var status: Int32 = 0
            unsafe waitpid(process, &status, 0)
        }
        try body(try TPMDevice(OpenFile(inherited: ends[0])))
    }

    private static func start(_ arguments: [String], socket: Int32) throws -> pid_t {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_adddup2(&actions, socket, 3)
        unsafe posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var pointers = unsafe arguments.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawnp(&process, "swtpm", &actions, nil, &pointers, environ) == 0 else {
            throw Unexpected(description: "swtpm can't be started")
        }
        return process
    }
}
