import CLibraries
import Codecs
import SecureMemory

/// HMAC (RFC 2104) of public messages with one of three hash functions, and the functions
/// themselves for public bytes.
///
/// The profile `gamesystem` uses SHA-1, and the profile `hmac` if its parameters request it.
package enum KeyedHash: String, CaseIterable, Sendable {
    case sha1
    case sha256
    case sha512

    /// The digest of public bytes.
    func digest(_ bytes: [UInt8]) -> [UInt8] {
        LibCrypto.start()
        var digest = [UInt8](repeating: 0, count: hmac.size)
        switch self {
        case .sha1: _ = unsafe SHA1(bytes, bytes.count, &digest)
        case .sha256: _ = unsafe SHA256(bytes, bytes.count, &digest)
        case .sha512: _ = unsafe SHA512(bytes, bytes.count, &digest)
        }
        return digest
    }

    /// The HMAC of the parts of a message, one after another.
    func mac(_ message: [[UInt8]], key: borrowing SecureBytes) throws(HTTPSigningError) -> [UInt8] {
        let tag = try converting(
            HTTPSigningError.memory, hmac.tag(of: SecureBytes(copyingPublic: message.joined()), key: key))
        // The value is made for publication.
        return tag.withBytes { tag in disclosed((0..<tag.byteCount).map { tag[byte: $0] }) }
    }

    private var hmac: HMAC {
        switch self {
        case .sha1: .sha1
        case .sha256: .sha256
        case .sha512: .sha512
        }
    }
}
