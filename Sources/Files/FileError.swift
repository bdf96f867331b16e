/// Why a file could not be made.
public enum FileError: Error, Equatable {
    /// The operation that failed.
    public enum Step: Equatable, Sendable {
        case create, write, sync, name
    }

    /// There is a file of this name, or a symbolic link.
    case exists
    /// The operation failed, and no file was left.
    case system(Step, errno: Int32)
    /// The file was written directly under its final name, and that failed.
    /// - Parameter isRemoved: false when another file has its name now, or when it could not be
    ///   removed. An incomplete file is left in the second case.
    case incomplete(errno: Int32, isRemoved: Bool)
}
