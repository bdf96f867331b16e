/// A device or file that the kernel may swap memory to.
package struct SwapArea: Equatable, Sendable {
    /// The path of the device or file.
    package let name: String
    package let storage: Storage
}

/// Where swapped bytes are stored, from the best to the worst place for a secret.
package enum Storage: Int, Comparable, Sendable {
    /// In memory (zram): they are lost when the power is off.
    case memory
    /// On a disk, encrypted by dm-crypt.
    case encrypted
    /// On a disk that may be unencrypted.
    case unknown

    package static func < (left: Storage, right: Storage) -> Bool { left.rawValue < right.rawValue }
}

/// The risk that hibernation writes all memory, locked memory included, to a disk.
package enum Hibernation: Equatable, Sendable {
    /// The kernel does not support hibernation, or it is disabled.
    case impossible
    /// The kernel supports it, but there is no swap to write to.
    case withoutSwap
    /// Hibernation writes to swap in this storage.
    case possible(Storage)
    case unknown
}
