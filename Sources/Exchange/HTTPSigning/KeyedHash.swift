import CLibraries
import Codecs
import SecureMemory

/// HMAC (RFC 2104) with one of three hash functions, and the functions themselves for public bytes.
///
/// libcrypto's HMAC keeps the hashed key on the unguarded heap. Here, the state of the hash
/// function, the block with the key and the inner digest are in guarded memory.
///
/// SHA-1 is in no other interface of this package. The profile `gamesystem` uses it, and the
/// profile `hmac` if its parameters request it.
package enum KeyedHash: String, CaseIterable, Sendable {
    case sha1
    case sha256
    case sha512

    /// The number of output bytes.
    var size: Int {
        switch self {
        case .sha1: 20
        case .sha256: 32
        case .sha512: 64
        }
    }

    /// The number of bytes that the function processes at once.
    private var blockSize: Int { self == .sha512 ? 128 : 64 }

    /// The digest of public bytes.
    func digest(_ bytes: [UInt8]) -> [UInt8] {
        LibCrypto.start()
        var digest = [UInt8](repeating: 0, count: size)
        switch self {
        case .sha1: _ = unsafe SHA1(bytes, bytes.count, &digest)
        case .sha256: _ = unsafe SHA256(bytes, bytes.count, &digest)
        case .sha512: _ = unsafe SHA512(bytes, bytes.count, &digest)
        }
        return digest
    }

    /// The HMAC of the parts of a message, one after another.
    func mac(_ message: [[UInt8]], key: borrowing SecureBytes) throws(HTTPSigningError) -> [UInt8] {
        LibCrypto.start()
        // The functions leave words of the key in registers and on the stack.
        defer { wipeScratch() }
        return try converting(HTTPSigningError.memory, unwipedMAC(message, key: key))
    }

    // MARK: - the computation in guarded memory

    /// The offsets of the parts of the guarded memory. Each is a multiple of 16, so each part is
    /// aligned.
    private enum Offset {
        static let state = 0
        static let block = (MemoryLayout<SHA512_CTX>.size + 15) / 16 * 16
        static let digest = block + 128
        static let end = digest + 64
    }

    /// Not inlined, so that its stack frame is below the caller's, where `wipeScratch` clears it.
    @inline(never)
    private func unwipedMAC(_ message: [[UInt8]], key: borrowing SecureBytes) throws(SecureMemoryError)
        -> [UInt8]
    {
        var work = try SecureBytes(count: Offset.end)
        return work.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { unsafe compute(message, key: key, in: $0) }
            // The value is made for publication.
            return disclosed((0..<size).map { span[byte: Offset.digest + $0] })
        }
    }

    private func compute(
        _ message: [[UInt8]], key: borrowing SecureBytes, in work: UnsafeMutableRawBufferPointer
    ) {
        guard let state = work.baseAddress else { return }
        let block = unsafe UnsafeMutableRawBufferPointer(
            rebasing: work[Offset.block..<(Offset.block + blockSize)])
        let digest = unsafe UnsafeMutableRawBufferPointer(
            rebasing: work[Offset.digest..<(Offset.digest + size)])
        key.withBytes { key in
            unsafe key.withUnsafeBytes { key in
                // The length of a secret is public.
                if key.count > blockSize {
                    unsafe hash([UnsafeRawBufferPointer(key)], state, into: block)
                } else {
                    unsafe block.copyMemory(from: key)
                }
            }
        }
        for index in block.indices { unsafe block[index] ^= 0x36 }
        unsafe begin(state)
        unsafe update(state, UnsafeRawBufferPointer(block))
        for part in message { unsafe part.withUnsafeBytes { unsafe update(state, $0) } }
        unsafe finish(state, into: digest)
        for index in block.indices { unsafe block[index] ^= 0x36 ^ 0x5c }
        unsafe hash([UnsafeRawBufferPointer(block), UnsafeRawBufferPointer(digest)], state, into: digest)
    }

    private func hash(
        _ parts: [UnsafeRawBufferPointer], _ state: UnsafeMutableRawPointer,
        into digest: UnsafeMutableRawBufferPointer
    ) {
        unsafe begin(state)
        for index in unsafe parts.indices { unsafe update(state, parts[index]) }
        unsafe finish(state, into: digest)
    }

    // The calls below return 1 for every input of less than 2^61 bytes.

    private func begin(_ state: UnsafeMutableRawPointer) {
        switch self {
        case .sha1: unsafe SHA1_Init(state.assumingMemoryBound(to: SHA_CTX.self))
        case .sha256: unsafe SHA256_Init(state.assumingMemoryBound(to: SHA256_CTX.self))
        case .sha512: unsafe SHA512_Init(state.assumingMemoryBound(to: SHA512_CTX.self))
        }
    }

    private func update(_ state: UnsafeMutableRawPointer, _ bytes: UnsafeRawBufferPointer) {
        let (start, count) = (bytes.baseAddress, bytes.count)
        switch self {
        case .sha1: unsafe SHA1_Update(state.assumingMemoryBound(to: SHA_CTX.self), start, count)
        case .sha256: unsafe SHA256_Update(state.assumingMemoryBound(to: SHA256_CTX.self), start, count)
        case .sha512: unsafe SHA512_Update(state.assumingMemoryBound(to: SHA512_CTX.self), start, count)
        }
    }

    private func finish(_ state: UnsafeMutableRawPointer, into digest: UnsafeMutableRawBufferPointer) {
        let output = unsafe digest.baseAddress?.assumingMemoryBound(to: UInt8.self)
        switch self {
        case .sha1: unsafe SHA1_Final(output, state.assumingMemoryBound(to: SHA_CTX.self))
        case .sha256: unsafe SHA256_Final(output, state.assumingMemoryBound(to: SHA256_CTX.self))
        case .sha512: unsafe SHA512_Final(output, state.assumingMemoryBound(to: SHA512_CTX.self))
        }
    }
}
