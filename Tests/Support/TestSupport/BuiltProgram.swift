import Glibc

/// The programs that tests start.
///
/// Tests of a process (its memory, its files, its exit status, its sandbox) run the release
/// program, which is the program that users get. `make test` builds it and passes its path in
/// EOSVAULT_PROGRAM. A bare `swift test` uses the program that `make build` left next to the debug
/// build, unless a source file is newer.
public enum BuiltProgram {
    /// The folder of the debug build, which contains the tests and the programs that only tests
    /// use.
    public static let debugFolder: String = {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        return folder(of: String(decoding: buffer[..<max(count, 0)], as: UTF8.self))
    }()

    /// The release program, or the program in EOSVAULT_PROGRAM.
    public static var path: String { get throws { try found.get() } }

    /// The folder of the program, for the search path of a shell. It also contains the object files
    /// that the program was linked from.
    public static var folder: String { get throws { folder(of: try path) } }

    public struct Unusable: Error, CustomStringConvertible {
        public let description: String

        init(_ path: String, _ fault: String) {
            description =
                "\(path) \(fault): run `make build`, or name a program called eosvault in EOSVAULT_PROGRAM"
        }
    }

    private static let found = Result<String, any Error> {
        if let given = getenv("EOSVAULT_PROGRAM").map({ String(cString: $0) }) {
            guard let path = realPath(given), path.hasSuffix("/eosvault"), access(path, X_OK) == 0 else {
                throw Unusable(given, "is not a program called eosvault")
            }
            return path
        }
        let path = folder(of: debugFolder) + "/release/eosvault"
        guard let built = buildTime(of: path) else { throw Unusable(path, "is missing") }
        if let newer = newerSource(than: built) { throw Unusable(path, "is older than \(newer)") }
        return path
    }

    private static func folder(of path: String) -> String {
        String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
    }

    private static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }

    // MARK: - age

    /// `make build` touches the second file, because a build without changes does not write the
    /// program again.
    private static func buildTime(of program: String) -> Time? {
        guard let time = Time(of: program) else { return nil }
        return max(time, Time(of: program + ".built") ?? time)
    }

    private static func newerSource(than time: Time) -> String? {
        let root = repositoryRoot
        return ([root + "/Package.swift"] + files(below: root + "/Sources")).first {
            Time(of: $0).map { $0 > time } ?? false
        }
    }

    private static func files(below folder: String) -> [String] {
        Files.names(in: folder).map { folder + "/" + $0 }.flatMap { path in
            let names = Files.names(in: path)
            return names.isEmpty ? [path] : files(below: path)
        }
    }

    /// The time of a file's last change.
    private struct Time: Comparable {
        private let seconds: Int
        private let nanoseconds: Int

        init?(of path: String) {
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
        }

        static func < (left: Time, right: Time) -> Bool {
            (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
        }
    }
}
