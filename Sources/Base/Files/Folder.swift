import Glibc

/// Operations on folders.
package enum Folder {
    /// The sorted names in a folder.
    /// - Throws: `system`.
    package static func names(in path: String) throws(FileError) -> [String] {
        guard let folder = unsafe opendir(path) else { throw .last(.open) }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        errno = 0
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
            errno = 0
        }
        guard errno == 0 else { throw .last(.read) }
        return names.sorted()
    }

    /// Creates a folder and its missing parents, each with mode 0700. An existing folder is not
    /// changed.
    /// - Parameter synced: also syncs each new name into its parent.
    /// - Returns: the created folders, the innermost last.
    /// - Throws: `system`.
    @discardableResult
    package static func create(_ path: String, synced: Bool = false) throws(FileError) -> [String] {
        let missing = try missing(from: path).folders
        for folder in missing.reversed() {
            guard unsafe mkdir(folder, 0o700) == 0 || errno == EEXIST else { throw .last(.makeFolder) }
            if synced { try sync(parent(of: folder)) }
        }
        return missing.reversed()
    }

    /// - Returns: the missing folders, the innermost first, and the nearest parent that exists.
    /// - Throws: `system`.
    package static func missing(from path: String) throws(FileError) -> (folders: [String], nearest: String) {
        var missing: [String] = []
        var current = path
        while try FileStatus.ifPresent(current, followingLinks: true) == nil {
            let parent = parent(of: current)
            guard parent != current else { throw .system(.inspect, errno: ENOENT) }
            missing.append(current)
            current = parent
        }
        return (missing, current)
    }

    /// Syncs the names in a folder.
    /// - Throws: `system`.
    package static func sync(_ path: String) throws(FileError) {
        try OpenFile(path).withDescriptor { folder throws(FileError) in try folder.sync() }
    }

    /// The folder that a folder is in, without a slash at its end.
    private static func parent(of path: String) -> String {
        let parent = FilePath.folder(of: path)
        return parent.utf8.count > 1 && parent.hasSuffix("/") ? String(parent.dropLast()) : parent
    }
}
