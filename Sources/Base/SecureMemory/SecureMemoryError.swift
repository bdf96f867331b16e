import Messages

/// The errors of guarded memory.
public enum SecureMemoryError: Error, Equatable {
    /// libsodium could not be initialised, or the guarded allocation failed.
    case unavailable(count: Int)
    case tooLong(limit: Int)
    case unreadable(errno: Int32)
}

extension SecureMemoryError: WordedError {
    package var words: Words {
        switch self {
        case .unavailable(let count):
            Words(.notEnoughMemory, "can't allocate \(count) bytes of guarded memory")
        case .tooLong(let limit): Words(.tooLarge, "more than \(limit) bytes")
        case .unreadable(let number): Words(.inputOutput, "can't be read: \(systemMessage(number))")
        }
    }
}
