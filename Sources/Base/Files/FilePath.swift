import Glibc

/// Functions on paths.
package enum FilePath {
    /// The folder of a file, as a path that ends in a slash, or `.`.
    package static func folder(of path: String) -> String {
        // A combining character after the slash would make both one Character.
        path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[..<path.utf8.index(after: $0)]) } ?? "."
    }

    /// The path from the root, which leads to the same file in every working directory; the path
    /// itself if the name of the working directory is not known or not UTF-8.
    package static func absolute(_ path: String) -> String {
        guard !path.utf8.starts(with: "/".utf8), let folder = unsafe getcwd(nil, 0) else { return path }
        defer { unsafe free(folder) }
        return unsafe String(validatingCString: folder).map { $0 + "/" + path } ?? path
    }

    /// The absolute path without symbolic links; nil when it is not UTF-8.
    /// - Throws: `system`.
    package static func resolved(_ path: String) throws(FileError) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { throw .last(.inspect) }
        defer { unsafe free(resolved) }
        return unsafe String(validatingCString: resolved)
    }
}
