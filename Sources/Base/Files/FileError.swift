import Glibc

/// Why an operation on a file or folder failed.
package enum FileError: Error, Equatable {
    /// A file was to be created, and its name is taken, perhaps by a symbolic link.
    case exists
    /// The operation failed. Where a file was to be created, none was left.
    case system(SystemOperation, errno: Int32)
    /// The file was written directly under its final name, and that failed.
    /// - Parameter isRemoved: false when another file has its name now, or when it could not be
    ///   removed. An incomplete file is left in the second case.
    case incomplete(errno: Int32, isRemoved: Bool)

    /// The error of the operation that just failed.
    static func last(_ operation: SystemOperation) -> FileError {
        errno == EEXIST ? .exists : .system(operation, errno: errno)
    }

    /// True if no file or folder has the path.
    package var isAbsence: Bool { number == ENOENT || number == ENOTDIR }

    /// The `errno` of the failure.
    package var number: Int32 {
        switch self {
        case .exists: EEXIST
        case .system(_, let number), .incomplete(let number, _): number
        }
    }
}

/// The operation that failed.
package enum SystemOperation: Equatable, Sendable {
    case inspect, open, create, write, sync, rename, makeFolder, read
}
