import CSystem
import Glibc

/// A file to create. It is complete or absent, and it never replaces another file.
///
/// ```swift
/// // Given bytes: [UInt8]
/// let file = try NewFile("signed.json", holding: .publicData)  // before any prompt or signature
/// try file.write(bytes)
/// ```
package struct NewFile: Sendable {
    package enum Content: Sendable {
        /// Never written under a temporary name, because a file that is left behind would be
        /// hidden.
        case secret
        case publicData
    }

    /// How the file gets its name only when it is complete, the best way first.
    enum Naming: CaseIterable {
        /// O_TMPFILE, and a hard link: nothing is left even when the power fails.
        case linkingUnnamed
        /// A temporary name, and a rename that replaces nothing.
        case renaming
        /// A temporary name, a hard link, and the temporary name removed.
        case linking
        /// O_EXCL under the final name: the last resort, as on exFAT.
        case inPlace

        func suits(_ content: Content) -> Bool {
            switch self {
            case .linkingUnnamed, .inPlace: true
            case .renaming, .linking: content == .publicData
            }
        }
    }

    package let path: String
    let content: Content
    let naming: Naming

    /// Refuses a name that is taken and a folder that can't be written. Then it tests which
    /// `Naming` the folder supports. The test leaves no file.
    /// - Throws: `exists`, `system`.
    package init(_ path: String, holding content: Content) throws(FileError) {
        guard try FileStatus.ifPresent(path) == nil else { throw .exists }
        let folder = FilePath.folder(of: path)
        guard unsafe access(folder, W_OK) == 0 else { throw .last(.create) }
        self.path = path
        self.content = content
        naming = try Self.naming(for: content, in: folder)
    }

    init(_ path: String, holding content: Content, naming: Naming) {
        (self.path, self.content, self.naming) = (path, content, naming)
    }

    // MARK: writing

    /// Writes the file and syncs it and its folder. Signals wait meanwhile.
    /// - Parameter endsLine: a line feed follows the bytes.
    /// - Throws: `exists`, `system`, `incomplete`.
    @discardableResult
    package func write(_ bytes: RawSpan, endsLine: Bool = false) throws(FileError) -> MadeFile {
        try write { file throws(FileError) in
            try file.write(bytes)
            if endsLine { unsafe try file.write([UInt8(ascii: "\n")].span.bytes) }
        }
    }

    /// Writes the file, with content that need not fit into memory, and syncs it and its folder.
    /// Signals wait meanwhile.
    /// - Parameter content: writes the content. It is called again from the start if the file
    ///   system refuses an operation that it accepted in the test.
    /// - Throws: `exists`, `system`, `incomplete`.
    @discardableResult
    package func write(_ content: (FileDescriptor) throws(FileError) -> Void) throws(FileError) -> MadeFile {
        try HeldSignals.during { () throws(FileError) in
            var made = try writeHeld(content)
            made.isDurable = (try? Folder.sync(FilePath.folder(of: path))) != nil
            return made
        }
    }

    /// Writes an array as `write(_:endsLine:)` writes a span.
    @discardableResult
    package func write(_ bytes: [UInt8]) throws(FileError) -> MadeFile { unsafe try write(bytes.span.bytes) }

    private func writeHeld(_ content: (FileDescriptor) throws(FileError) -> Void) throws(FileError)
        -> MadeFile
    {
        do {
            switch naming {
            case .linkingUnnamed: return try writeUnnamed(content)
            case .renaming, .linking:
                return try Self.writeTemporary(content, for: path) { temporary throws(FileError) in
                    try naming.move(temporary, to: path)
                }
            case .inPlace: return try writeInPlace(content)
            }
        } catch .system(let step, let number)
            where naming != .inPlace && step != .write && Self.isUnsupported(number)
        {
            // The file system refuses an operation that it accepted in the test.
            return try NewFile(path, holding: self.content, naming: .inPlace).writeHeld(content)
        }
    }

    private func writeUnnamed(
        _ content: (FileDescriptor) throws(FileError) -> Void
    ) throws(FileError) -> MadeFile {
        let file = try OpenFile(unnamedIn: FilePath.folder(of: path))
        return try file.withDescriptor { descriptor throws(FileError) in
            let made = try Self.fill(descriptor, content, at: path)
            guard unsafe files_name_unnamed(descriptor.number, path) == 0 else { throw .last(.rename) }
            return made
        }
    }

    /// Writes a temporary file next to `path`, which `name` gives its final name.
    static func writeTemporary(
        _ content: (FileDescriptor) throws(FileError) -> Void, for path: String,
        name: (String) throws(FileError) -> Void
    ) throws(FileError) -> MadeFile {
        let temporary = temporaryPath(in: FilePath.folder(of: path))
        let file = try OpenFile(creating: temporary)
        do {
            let made = try file.withDescriptor { descriptor throws(FileError) in
                try fill(descriptor, content, at: path)
            }
            try name(temporary)
            return made
        } catch {
            unsafe unlink(temporary)
            throw error
        }
    }

    private func writeInPlace(
        _ content: (FileDescriptor) throws(FileError) -> Void
    ) throws(FileError) -> MadeFile {
        let file = try OpenFile(creating: path)
        return try file.withDescriptor { descriptor throws(FileError) in
            do throws(FileError) { return try Self.fill(descriptor, content, at: path) } catch {
                throw Self.abandoned(descriptor, at: path, errno: error.number)
            }
        }
    }

    /// Removes the file that could not be written, unless another file has its name now. While it
    /// is open, no other file gets its inode.
    static func abandoned(_ descriptor: FileDescriptor, at path: String, errno number: Int32) -> FileError {
        .incomplete(errno: number, isRemoved: (try? MadeFile(at: path, descriptor))?.remove() ?? false)
    }

    /// Writes and syncs the content.
    private static func fill(
        _ descriptor: FileDescriptor, _ content: (FileDescriptor) throws(FileError) -> Void, at path: String
    ) throws(FileError) -> MadeFile {
        // The umask may have removed the owner's permission bits. A file system without modes
        // refuses or ignores this call; `mode` is the result.
        _ = fchmod(descriptor.number, 0o600)
        try content(descriptor)
        try descriptor.sync()
        return try MadeFile(at: path, descriptor)
    }

    static func temporaryPath(in folder: String) -> String {
        inside(folder, ".eosvault.\(String(UInt64.random(in: 0...UInt64.max), radix: 16)).tmp")
    }

    static func inside(_ folder: String, _ name: String) -> String {
        folder + (folder.hasSuffix("/") ? "" : "/") + name
    }
}

extension NewFile.Naming {
    /// Gives the file at a temporary name its final one.
    fileprivate func move(_ temporary: String, to path: String) throws(FileError) {
        if self == .renaming {
            guard unsafe files_rename_without_replacing(temporary, path) == 0 else { throw .last(.rename) }
            return
        }
        guard unsafe linkat(AT_FDCWD, temporary, AT_FDCWD, path, 0) == 0 else { throw .last(.rename) }
        unsafe unlink(temporary)
    }
}

// MARK: the naming that a folder supports

extension NewFile {
    /// True if errno means that the kernel, the file system or a sandbox does not support the
    /// operation, and not that it failed.
    static func isUnsupported(_ number: Int32) -> Bool {
        [EINVAL, ENOSYS, ENOTSUP, EOPNOTSUPP, EPERM, EISDIR, ENOENT, EXDEV, EMLINK].contains(number)
    }

    private static func naming(for content: Content, in folder: String) throws(FileError) -> Naming {
        try HeldSignals.during { () throws(FileError) in
            for naming in Naming.allCases where naming.suits(content) && naming != .inPlace {
                do throws(FileError) {
                    try naming.attempt(in: folder)
                    return naming
                } catch .system(_, let number) where isUnsupported(number) {}
            }
            try Naming.inPlace.attempt(in: folder)
            return .inPlace
        }
    }
}

extension NewFile.Naming {
    /// - Throws: `system`. If the folder does not support this naming, `isUnsupported` is true for
    ///   the errno.
    fileprivate func attempt(in folder: String) throws(FileError) {
        switch self {
        case .linkingUnnamed: try Self.attemptUnnamed(in: folder)
        case .renaming, .linking: try attemptTemporary(in: folder)
        case .inPlace: unsafe unlink(try Self.makeEmpty(in: folder))
        }
    }

    /// Creates no name, so nothing can be left. The kernel refuses the link because of its name,
    /// `.`, but checks the linked file before that.
    private static func attemptUnnamed(in folder: String) throws(FileError) {
        let file = try OpenFile(unnamedIn: folder)
        try file.withDescriptor { descriptor throws(FileError) in
            let isNamed = unsafe files_name_unnamed(descriptor.number, NewFile.inside(folder, ".")) == 0
            guard !isNamed, errno == EEXIST else { throw .system(.rename, errno: errno) }
        }
    }

    /// Uses an empty file, which gets two temporary names one after the other.
    private func attemptTemporary(in folder: String) throws(FileError) {
        let (first, second) = (try Self.makeEmpty(in: folder), NewFile.temporaryPath(in: folder))
        defer { unsafe unlink(first) }
        try move(first, to: second)
        unsafe unlink(second)
    }

    /// Makes an empty file and returns its temporary path.
    private static func makeEmpty(in folder: String) throws(FileError) -> String {
        let path = NewFile.temporaryPath(in: folder)
        _ = try OpenFile(creating: path)
        return path
    }
}
