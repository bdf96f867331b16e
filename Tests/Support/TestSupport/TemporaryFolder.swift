import Glibc

/// A new folder of mode 0700 for one test. It is removed with its contents.
public final class TemporaryFolder: Sendable {
    public let path: String

    public struct Failure: Error {
        let parent: String
        let errno: Int32
    }

    public init() throws {
        var template = Array((Self.parent + "/eosvault-test-XXXXXX").utf8CString)
        guard mkdtemp(&template) != nil else { throw Failure(parent: Self.parent, errno: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    /// TMPDIR if it is a usable folder, else /tmp. The path contains no symbolic link.
    public static let parent: String = {
        let given = getenv("TMPDIR").map { String(cString: $0) } ?? ""
        guard given.hasPrefix("/"), let resolved = realpath(given, nil) else { return "/tmp" }
        defer { free(resolved) }
        let path = String(cString: resolved)
        let isUsable = path.utf8.count <= longestParent && isFolder(path) && access(path, W_OK | X_OK) == 0
        return isUsable ? path : "/tmp"
    }()

    /// In bytes. SQLite accepts paths of at most 512 bytes, and tests create nested folders.
    private static let longestParent = 200

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }

    /// Restores write permission first, because a test may have removed it.
    private static func remove(_ path: String) {
        guard isFolder(path) else {
            unlink(path)
            return
        }
        chmod(path, 0o700)
        for name in Files.names(in: path) { remove(path + "/" + name) }
        rmdir(path)
    }
}
