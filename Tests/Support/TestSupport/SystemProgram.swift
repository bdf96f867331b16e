import CChild
import Glibc

/// Runs programs of the PATH, such as python3 and curl.
public enum SystemProgram {
    /// Runs a program to its end, in a folder: that of the repository, if none is given.
    /// - Returns: its exit status, and what it wrote to standard output, then to standard error.
    public static func run(
        _ arguments: [String], input: [UInt8] = [], in folder: String = repositoryRoot
    ) throws -> (text: String, status: Int32) {
        let streams = try StandardStreams(input: input)
        defer { streams.close() }
        let process = try start(arguments, streams.input, streams.output, streams.error, in: folder)
        var status: Int32 = 0
        guard waitpid(process, &status, 0) == process else { throw SystemFailure("wait") }
        let bytes = Files.contents(of: streams.output) + Files.contents(of: streams.error)
        return (String(decoding: bytes, as: UTF8.self), status >> 8)
    }

    /// Runs a script of this repository.
    public static func python(_ arguments: [String]) throws -> (text: String, status: Int32) {
        try run(["python3"] + arguments)
    }

    public static func start(
        _ arguments: [String], _ input: Int32, _ output: Int32, _ error: Int32,
        in folder: String = repositoryRoot
    ) throws -> pid_t {
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let process = withCStrings(["env"] + arguments) { arguments in
            withCStrings(["PATH=\(path)", "PYTHONDONTWRITEBYTECODE=1", "PYTHONUTF8=1"]) { environment in
                child_start("/usr/bin/env", arguments, environment, folder, input, output, error, nil, nil, 0)
            }
        }
        guard process > 0 else { throw SystemFailure("start \(arguments)") }
        return process
    }
}
