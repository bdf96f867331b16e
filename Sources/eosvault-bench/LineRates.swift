import ArgumentParser
import Codecs
import Files
import Glibc

/// Compares the program, `eosvault abi encode --lines`, with the codec in this process on the same
/// lines.
enum LineRates {
    private static let lineCount = 100_000

    /// Returns nil where there is no `eosvault` in the folder of this program.
    static func encode(_ name: String) throws -> Rate? {
        guard let program = program() else {
            let message = Array("\(name): skipped, no eosvault in the folder of this program\n".utf8)
            _ = unsafe Glibc.write(STDERR_FILENO, message, message.count)
            return nil
        }
        let folder = try TemporaryFolder()
        let texts = (1...lineCount).map { TransferRates.text(amount: $0) }
        try folder.write(Array(TransferRates.abi.utf8), to: "abi.json")
        try folder.write(Array(texts.joined(separator: "\n".utf8)), to: "lines")
        let type = try TransferRates.type()
        var writer = ByteWriter()
        return try Rate.compare(name, with: "the codec in this process", rounds: 9) {
            try run(program, in: folder.path) / Double(lineCount)
        } yardstick: {
            try Stopwatch.time { for text in texts { try TransferRates.encode(type, text, into: &writer) } }
                / Double(lineCount)
        }
    }

    private static func program() -> String? {
        guard let own = try? FilePath.resolved("/proc/self/exe") else { return nil }
        let program = FilePath.folder(of: own) + "eosvault"
        return unsafe access(program, X_OK) == 0 ? program : nil
    }

    /// The processor time of the program for the file of lines, including its start.
    private static func run(_ program: String, in folder: String) throws -> Double {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, folder + "/lines", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, folder + "/result", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        var arguments: [UnsafeMutablePointer<CChar>?] = unsafe [
            strdup(program), strdup("abi"), strdup("encode"), strdup("--abi"), strdup(folder + "/abi.json"),
            strdup("transfer"),
            strdup("--lines"), nil,
        ]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, program, &actions, nil, &arguments, environ) == 0 else {
            throw ExitCode.failure
        }
        var usage = rusage()
        var status: Int32 = 0
        guard unsafe wait4(process, &status, 0, &usage) == process, status == 0 else { throw ExitCode.failure }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) * 1e-6 }
}
