/// A place that the kernel may move memory to.
package struct SwapArea: Equatable, Sendable {
    /// The path of its device or file.
    package let name: String
    package let storage: Storage

    package init(name: String, storage: Storage) {
        self.name = name
        self.storage = storage
    }
}

/// Where bytes come to lie, from the best to the worst for a secret.
package enum Storage: Int, Comparable, Sendable {
    /// In memory (zram): they are gone when the power is.
    case memory
    /// On a disk, sealed by dm-crypt.
    case encrypted
    /// That can't be told.
    case unknown
    /// On a disk, in the clear.
    case plain

    package static func < (left: Storage, right: Storage) -> Bool { left.rawValue < right.rawValue }
}

/// Whether all of memory, what is locked too, may be written to a disk.
package enum Hibernation: Equatable, Sendable {
    /// The kernel can't, or may not.
    case impossible
    /// The kernel could, but there is no swap to write to.
    case withoutSwap
    /// To swap that lies there.
    case possible(Storage)
    case unknown
}
