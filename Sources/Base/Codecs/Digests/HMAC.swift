import CHMAC
import SecureMemory

/// HMAC (RFC 2104) of secrets with one of three hash functions, and PBKDF2 with it.
///
/// All intermediate values are in guarded memory, and the time depends only on the lengths and on
/// the number of rounds.
package enum HMAC: CaseIterable, Sendable {
    case sha1
    case sha256
    case sha512

    /// The number of bytes of a tag.
    package var size: Int { hmac_tag_count(function) }

    private var function: hmac_function {
        switch self {
        case .sha1: HMAC_SHA1
        case .sha256: HMAC_SHA256
        case .sha512: HMAC_SHA512
        }
    }

    /// Calls each function once. A program calls this before it reads a secret.
    package static func start() { precondition(isStarted, "libcrypto does not start") }

    private static let isStarted: Bool = {
        LibCrypto.start()
        return allCases.allSatisfy { function in
            guard let key = try? SecureBytes(count: 1) else { return false }
            return (try? function.derive(fromPassword: key, salt: key, rounds: 1, count: 1)) != nil
        }
    }()

    // MARK: a tag

    /// The tag of a message. The caller keeps the memory for many tags.
    /// - Parameters:
    ///   - tag: receives `size` bytes, and has at least that many.
    ///   - memory: of `stateCount` bytes.
    package func authenticate(
        _ message: RawSpan, key: RawSpan, into tag: inout MutableRawSpan, memory: inout ReusedBytes
    ) {
        LibCrypto.start()
        precondition(tag.byteCount >= size)
        // The functions leave words of the key in registers and on the stack.
        defer { wipeScratch() }
        memory.lend(Self.stateCount) { state in
            start(&state, key)
            Self.add(&state, message)
            unsafe state.withUnsafeMutableBytes { state in
                unsafe tag.withUnsafeMutableBytes { tag in
                    guard let output = unsafe tag.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                        return
                    }
                    unsafe hmac_finish(Self.state(state), output)
                }
            }
        }
    }

    /// The tag of a message, in guarded memory.
    package func tag(of message: borrowing SecureBytes, key: borrowing SecureBytes) throws(SecureMemoryError)
        -> SecureBytes
    {
        try message.withBytes { message throws(SecureMemoryError) in try tag(of: message, key: key) }
    }

    package func tag(of message: RawSpan, key: borrowing SecureBytes) throws(SecureMemoryError) -> SecureBytes
    {
        var memory = try ReusedBytes(capacity: Self.stateCount)
        var tag = try SecureBytes(count: size)
        tag.withMutableBytes { tag in
            key.withBytes { key in authenticate(message, key: key, into: &tag, memory: &memory) }
        }
        return tag
    }

    /// The bytes of guarded memory that a computation needs.
    package static let stateCount = hmac_state_count()

    // MARK: PBKDF2

    /// PBKDF2 (RFC 8018, section 5.2).
    /// - Parameters:
    ///   - rounds: at least 1.
    ///   - count: the number of derived bytes, at least 1. Each `size` bytes take all rounds.
    package func derive(
        fromPassword password: borrowing SecureBytes, salt: borrowing SecureBytes, rounds: UInt32, count: Int
    ) throws(SecureMemoryError) -> SecureBytes {
        LibCrypto.start()
        precondition(rounds > 0 && count > 0)
        var state = try SecureBytes(count: Self.stateCount)
        var derived = try SecureBytes(count: count)
        defer { wipeScratch() }
        state.withMutableBytes { state in
            password.withBytes { start(&state, $0) }
            derived.withMutableBytes { derived in
                salt.withBytes { salt in
                    Self.derive(&state, salt, rounds, into: &derived)
                }
            }
        }
        return derived
    }

    // MARK: calls

    @unsafe
    private static func state(_ bytes: UnsafeMutableRawBufferPointer) -> OpaquePointer? {
        unsafe bytes.baseAddress.map { OpaquePointer($0) }
    }

    private func start(_ state: inout MutableRawSpan, _ key: RawSpan) {
        unsafe state.withUnsafeMutableBytes { state in
            unsafe key.withUnsafeBytes { key in
                unsafe hmac_start(
                    Self.state(state), function, key.baseAddress?.assumingMemoryBound(to: UInt8.self),
                    key.count)
            }
        }
    }

    private static func add(_ state: inout MutableRawSpan, _ part: RawSpan) {
        unsafe state.withUnsafeMutableBytes { state in
            unsafe part.withUnsafeBytes { part in
                unsafe hmac_add(
                    Self.state(state), part.baseAddress?.assumingMemoryBound(to: UInt8.self), part.count)
            }
        }
    }

    private static func derive(
        _ state: inout MutableRawSpan, _ salt: RawSpan, _ rounds: UInt32, into derived: inout MutableRawSpan
    ) {
        unsafe state.withUnsafeMutableBytes { state in
            unsafe salt.withUnsafeBytes { salt in
                unsafe derived.withUnsafeMutableBytes { derived in
                    unsafe hmac_pbkdf2(
                        Self.state(state), salt.baseAddress?.assumingMemoryBound(to: UInt8.self), salt.count,
                        rounds, derived.baseAddress?.assumingMemoryBound(to: UInt8.self), derived.count)
                }
            }
        }
    }
}
