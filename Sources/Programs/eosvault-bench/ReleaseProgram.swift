import ArgumentParser
import Files
import Glibc

/// A program that a rate runs: `eosvault` in the folder of this program, or its reference.
struct ReleaseProgram {
    private let path: String

    /// The program at a path.
    /// - Returns: nil where it is not installed, with a message that states the rate.
    init?(at path: String, for rate: String) {
        guard unsafe access(path, X_OK) == 0 else {
            Self.skip(rate, "\(path) is not installed")
            return nil
        }
        self.path = path
    }

    /// `eosvault` in the folder of this program.
    /// - Returns: nil where there is none, with a message that states the rate.
    init?(for rate: String) {
        let folder = (try? FilePath.resolved("/proc/self/exe")).map { FilePath.folder(of: $0) } ?? ""
        path = folder + "eosvault"
        guard unsafe access(path, X_OK) == 0 else {
            Self.skip(rate, "no eosvault in the folder of this program")
            return nil
        }
    }

    private static func skip(_ rate: String, _ reason: String) {
        note("\(rate): skipped, \(reason)")
    }

    /// Writes a line to standard error.
    static func note(_ text: String) {
        let message = Array("\(text)\n".utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, message, message.count)
    }

    /// The processor time of a run in seconds, including its start.
    /// - Throws: `ExitCode.failure` unless its exit status is 0.
    func run(_ arguments: [String], input: String, output: String) throws -> Double {
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
        unsafe posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        var words: [UnsafeMutablePointer<CChar>?] =
            unsafe ([path] + arguments).map { unsafe strdup($0) } + [nil]
        defer { unsafe words.forEach { unsafe free($0) } }
        var process: pid_t = 0
        guard unsafe posix_spawn(&process, path, &actions, nil, &words, environ) == 0 else {
            throw ExitCode.failure
        }
        var usage = rusage()
        var status: Int32 = 0
        guard unsafe wait4(process, &status, 0, &usage) == process, status == 0 else {
            throw ExitCode.failure
        }
        return Self.seconds(usage.ru_utime) + Self.seconds(usage.ru_stime)
    }

    private static func seconds(_ time: timeval) -> Double {
        Double(time.tv_sec) + Double(time.tv_usec) * 1e-6
    }
}
