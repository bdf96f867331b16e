import Glibc
import Hardening
import TestSupport

/// A folder with the structure of a machine's root, read through `SystemTree`.
@dynamicMemberLookup
struct FakeTree {
    private let folder: TemporaryFolder

    subscript<Answer>(dynamicMember question: KeyPath<SystemTree, Answer>) -> Answer {
        // The folder is removed after its last use.
        withExtendedLifetime(folder) { SystemTree(root: folder.path)[keyPath: question] }
    }

    /// - Parameters:
    ///   - files: text by path below the root; a path that ends in `/` is an empty folder.
    ///   - links: targets by path.
    init(_ files: [String: String], links: [String: String] = [:]) throws {
        folder = try TemporaryFolder()
        for (path, text) in files {
            try makeFolders(above: path.hasSuffix("/") ? path + "x" : path)
            if path.hasSuffix("/") { continue }
            let file = open(folder.path + path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw Failure(path: path, errno: errno) }
            defer { close(file) }
            let bytes = Array(text.utf8)
            guard bytes.isEmpty || write(file, bytes, bytes.count) == bytes.count else {
                throw Failure(path: path, errno: errno)
            }
        }
        for (path, target) in links {
            try makeFolders(above: path)
            guard symlink(target, folder.path + path) == 0 else { throw Failure(path: path, errno: errno) }
        }
    }

    private func makeFolders(above path: String) throws {
        var made = folder.path
        for name in path.split(separator: "/").dropLast() {
            made += "/" + name
            guard mkdir(made, 0o700) == 0 || errno == EEXIST else { throw Failure(path: made, errno: errno) }
        }
    }

    struct Failure: Error {
        let path: String
        let errno: Int32
    }
}

extension [String: String] {
    /// The files of block devices in the format of sysfs.
    static func devices(_ devices: [String: [String: String]]) -> [String: String] {
        var files: [String: String] = [:]
        for (name, own) in devices {
            files["/sys/class/block/\(name)/uevent"] =
                "MAJOR=8\nDEVNAME=\(name.replacing("!", with: "/"))\nDEVTYPE=disk\n"
            for (path, text) in own { files["/sys/class/block/\(name)/\(path)"] = text + "\n" }
        }
        return files
    }

    static func swaps(_ lines: String...) -> [String: String] {
        [
            "/proc/swaps": "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n"
                + lines.map { $0 + "\n" }.joined()
        ]
    }

    static func + (left: Self, right: Self) -> Self { left.merging(right) { $1 } }
}
