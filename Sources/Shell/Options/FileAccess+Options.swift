import Hardening

// The file access that each group of options needs.

extension InputFile {
    /// An open descriptor needs no file access.
    package var fileAccess: FileAccess { isOpen ? .none : .reading(path) }
}

extension OutputFile {
    package var fileAccess: FileAccess { .making(in: folder) }

    /// - Parameter path: the value of `--output`; nil or `-` for standard output.
    package static func fileAccess(to path: String?) -> FileAccess {
        named(by: path)?.fileAccess ?? .none
    }
}
