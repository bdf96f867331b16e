import Codecs
import Keys
import SecureMemory

/// Reads the texts of keys in a file. The memory of a private key is reused for the next one.
struct KeyTexts: ~Copyable {
    private var reader = PrivateKeyReader()

    /// A private key: WIF or `PVT_…`.
    mutating func privateKey(_ text: RawSpan, number: Int) throws(WalletError) -> PrivateKey {
        do { return try reader.read(text) } catch {
            switch error {
            case .memory(let error): throw .memory(error)
            default: throw .key(number: number, .privateKey(error))
            }
        }
    }

    mutating func reuse(_ key: consuming PrivateKey) { reader.reuse(key) }

    /// A public key of a file: `EOS…`, `PUB_…`, or another prefix of three letters in place of EOS,
    /// such as `FIO…`, for a file that may have it. Text that does not begin as a public key may be
    /// a private key, and is not copied.
    static func publicKey(
        _ text: RawSpan, number: Int, anyPrefix: Bool = false
    ) throws(WalletError) -> PublicKey {
        do throws(KeyTextError) { return try publicKey(text, anyPrefix: anyPrefix) } catch {
            throw .key(number: number, .publicKey(error))
        }
    }

    private static func publicKey(_ text: RawSpan, anyPrefix: Bool) throws(KeyTextError) -> PublicKey {
        guard text.byteCount > 0 else { throw .empty }
        let isFIO = anyPrefix && text.starts(with: "FIO")
        guard text.starts(with: "EOS") || text.starts(with: "PUB_") || isFIO else {
            throw text.starts(with: "5") || text.starts(with: "PVT_")
                ? .privateKeyGiven : .unknownPrefix(expected: ["EOS", "PUB_"])
        }
        guard text.byteCount <= maximumPublicCount else { throw .tooLong(limit: maximumPublicCount) }
        let characters = (0..<text.byteCount).map { disclosed(text[byte: $0]) }
        let plain = String(decoding: characters, as: UTF8.self)
        return try PublicKey(isFIO ? "EOS" + plain.dropFirst(3) : plain)
    }

    private static let maximumPublicCount = 64
}
