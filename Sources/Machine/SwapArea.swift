/// A device or file that the kernel may swap memory to.
public struct SwapArea: Equatable, Sendable {
    /// The path of the device or file.
    public let name: String
    public let storage: Storage

    public init(name: String, storage: Storage) {
        self.name = name
        self.storage = storage
    }
}

/// Where swapped bytes are stored, from the best to the worst place for a secret.
public enum Storage: Int, Comparable, Sendable {
    /// In memory (zram): they are lost when the power is off.
    case memory
    /// On a disk, encrypted by dm-crypt.
    case encrypted
    /// On a disk that may be unencrypted.
    case unknown

    public static func < (left: Storage, right: Storage) -> Bool { left.rawValue < right.rawValue }
}

/// Whether hibernation may write all memory, locked memory included, to a disk.
public enum Hibernation: Equatable, Sendable {
    /// The kernel does not support hibernation, or it is disabled.
    case impossible
    /// The kernel supports it, but there is no swap to write to.
    case withoutSwap
    /// Hibernation writes to swap in this storage.
    case possible(Storage)
    case unknown
}
