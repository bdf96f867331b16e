import Hardening

// The file access that each group of options needs.

extension InputFile {
    /// The path, or the inherited descriptor that it refers to.
    package var fileAccess: FileAccess { descriptor.map { .descriptor($0) } ?? .reading(path) }
}

extension OutputFile {
    package var fileAccess: FileAccess { .making(in: folder) }

    /// - Parameter path: the value of `--output`; nil or `-` for standard output.
    package static func fileAccess(to path: String?) -> FileAccess {
        named(by: path)?.fileAccess ?? .none
    }
}
