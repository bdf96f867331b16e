import Files
import Glibc

/// The path of a program that answers for a person. Only root and the user of the agent can change
/// what it leads to.
struct ConsentPath: Sendable {
    let path: String

    init(_ path: String) throws(ConsentError) {
        self.path = path
        _ = try open()
    }

    /// Checks the program, and refers to the file that was checked.
    func open() throws(ConsentError) -> OpenFile {
        guard path.hasPrefix("/"), !path.utf8.contains(0) else { throw .program(path, .notAbsolute) }
        let resolved = try attempt { () throws(FileError) in try FilePath.resolved(path) }
        // A link would need the same checks at both places.
        guard resolved == path else { throw .program(path, .linked(to: resolved)) }
        for slash in path.utf8.indices where path.utf8[slash] == UInt8(ascii: "/") {
            try verifyFolder(slash == path.startIndex ? "/" : String(path[..<slash]))
        }
        let file = try attempt { () throws(FileError) in try OpenFile(inspecting: path) }
        let status = try file.withDescriptor { descriptor throws(ConsentError) in
            try attempt { () throws(FileError) in try descriptor.status }
        }
        guard status.kind == .regular else { throw .program(path, .notAFile) }
        try verify(status, path, mayBeSticky: false)
        guard unsafe access(path, X_OK) == 0 else { throw .program(path, .system(errno: errno)) }
        return file
    }

    private func verifyFolder(_ folder: String) throws(ConsentError) {
        let status = try attempt { () throws(FileError) in try FileStatus(of: folder) }
        // With the sticky bit, as of /tmp, each user can replace only their own files there.
        try verify(status, folder, mayBeSticky: true)
    }

    private func verify(_ status: FileStatus, _ place: String, mayBeSticky: Bool) throws(ConsentError) {
        guard status.owner == 0 || status.owner == geteuid() else {
            throw .program(path, .owned(place, by: status.owner))
        }
        let isSticky = mayBeSticky && status.mode & 0o1000 != 0
        guard isSticky || status.mode & 0o022 == 0 else {
            throw .program(path, .writable(place, mode: status.mode))
        }
    }

    private func attempt<Result: ~Copyable>(_ step: () throws(FileError) -> Result) throws(ConsentError)
        -> Result
    {
        do { return try step() } catch { throw .program(path, .system(errno: error.number)) }
    }
}
