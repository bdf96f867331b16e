import Codecs
import Keys
import SecureMemory

/// Writes a wallet file of keosd. A guess of its password costs one SHA-512, so the password must
/// be random.
package struct KeosdWriter: ~Copyable {
    /// The entries in the order in which they were added.
    private var entries: SecureBytes
    private var keys: [PublicKey] = []
    private var known: Set<PublicKey> = []
    private let capacity: Int

    /// - Parameter capacity: the most keys that are added, at most `WalletFile.maximumKeyCount`.
    package init(capacity: Int) throws(WalletError) {
        guard (0...WalletLimits.keyCount).contains(capacity) else { throw .limit(.keyCount) }
        entries = try .forWallet(count: capacity * KeosdWallet.entrySize)
        self.capacity = capacity
    }

    /// Adds a key; a key that was added before changes nothing.
    package mutating func add(_ key: borrowing PrivateKey) throws(WalletError) {
        guard known.insert(key.publicKey).inserted else { return }
        guard keys.count < capacity else { throw .limit(.keyCount) }
        let offset = keys.count * KeosdWallet.entrySize
        let (type, point) = (key.publicKey.kind.rawValue, key.publicKey.body)
        keys.append(key.publicKey)
        key.withScalar { scalar in
            entries.withMutableBytes { entries in
                entries[byte: offset] = type
                for index in point.indices { entries[byte: offset + 1 + index] = point[index] }
                entries[byte: offset + 34] = type
                entries.copy(scalar, to: offset + 35)
            }
        }
        wipeShallowScratch()
    }

    /// The bytes of the file, as keosd writes them. keosd sorts the keys by their type, and then by
    /// the bytes of the public key.
    /// - Parameter password: exact to the byte.
    package consuming func write(password: borrowing SecureBytes) throws(WalletError) -> [UInt8] {
        var hash = try SecureBytes.forWallet(count: SHA512.size)
        password.withBytes { password in hash.withMutableBytes { SHA512.hash(password, into: &$0) } }
        var count = ByteWriter()
        count.write(varuint32: UInt32(keys.count))
        let start = SHA512.size + count.bytes.count
        let used = start + keys.count * KeosdWallet.entrySize
        let padding = AESCipher.blockSize - used % AESCipher.blockSize
        var plain = try SecureBytes.forWallet(count: used + padding)
        let order = keys.indices.sorted { keys[$0].packed.lexicographicallyPrecedes(keys[$1].packed) }
        hash.withBytes { hash in
            plain.withMutableBytes { plain in
                plain.copy(hash, to: 0)
                for (index, byte) in count.bytes.enumerated() { plain[byte: SHA512.size + index] = byte }
                for index in used..<(used + padding) { plain[byte: index] = UInt8(padding) }
            }
        }
        entries.withBytes { entries in
            plain.withMutableBytes { plain in
                for (position, index) in order.enumerated() {
                    let source = index * KeosdWallet.entrySize
                    plain.copy(
                        entries.extracting(source..<(source + KeosdWallet.entrySize)),
                        to: start + position * KeosdWallet.entrySize)
                }
            }
        }
        return try Self.text(of: plain, hash: hash)
    }

    private static func text(
        of plain: borrowing SecureBytes, hash: borrowing SecureBytes
    ) throws(WalletError) -> [UInt8] {
        let cipher = try hash.withBytes { hash throws(WalletError) in
            let aes = try AESCipher(key: hash.extracting(0..<32))
            return plain.withBytes { aes.encryptCBC(iv: hash.extracting(32..<48), $0) }
        }
        var text = Array("{\n  \"\(KeosdWallet.member)\": \"".utf8)
        Hex.append(cipher.span, to: &text)
        return text + "\"\n}".utf8
    }
}
