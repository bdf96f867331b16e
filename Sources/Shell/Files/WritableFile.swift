import Files

/// The treatment of a file with a secret that other users can write.
package enum WritableFile {
    case refused
    /// Accepted on a file system that stores no modes, where each file has the mode of the mount: a
    /// key file is often on a USB stick.
    case refusedWhereModesAreStored
    case accepted

    package func isRefused(_ file: FileDescriptor) -> Bool {
        switch self {
        case .refused: true
        case .accepted: false
        case .refusedWhereModesAreStored: file.storesModes
        }
    }
}
