import CChild
import Glibc

/// Runs a script of this repository.
public enum Python {
    public struct Failure: Error {
        let errno: Int32
    }

    public static func run(_ arguments: [String]) throws -> (text: String, status: Int32) {
        let files = try (0..<2).map { _ in
            let file = child_temporary_file()
            guard file >= 0 else { throw Failure(errno: errno) }
            return file
        }
        defer { files.forEach { close($0) } }
        let path = getenv("PATH").map { String(cString: $0) } ?? "/usr/bin:/bin"
        let list = (["env", "python3"] + arguments).map { strdup($0) } + [nil]
        let environment = [
            strdup("PATH=\(path)"), strdup("PYTHONDONTWRITEBYTECODE=1"), strdup("PYTHONUTF8=1"), nil,
        ]
        defer { (list + environment).forEach { free($0) } }
        let process = child_start(
            "/usr/bin/env", list, environment, repositoryRoot, files[0], files[1], files[1], nil, nil, 0)
        var status: Int32 = 0
        guard process > 0, waitpid(process, &status, 0) == process else { throw Failure(errno: errno) }
        return (String(decoding: Files.contents(of: files[1]), as: UTF8.self), status >> 8)
    }
}
