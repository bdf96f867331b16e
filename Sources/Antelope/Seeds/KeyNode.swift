import Codecs
import Keys
import SecureMemory

/// A private key with its chain code (BIP-32, "Extended keys").
struct KeyNode: ~Copyable {
    /// The scalar, 32 bytes, and the chain code, 32 bytes.
    private let bytes: SecureBytes
    /// Of the scalar, for children that are not hardened.
    private let publicKey: PublicKey

    static let scalarCount = 32

    /// Guarded memory for one derivation after another.
    struct Memory: ~Copyable {
        fileprivate var hash: ReusedBytes
        /// What is hashed: a byte and the scalar, or the point; then the number of the child.
        fileprivate var message: ReusedBytes

        init() throws(SeedError) {
            let hash = try converting(SeedError.outOfMemory, ReusedBytes(capacity: HMAC.stateCount))
            let message = try converting(SeedError.outOfMemory, ReusedBytes(capacity: 37))
            self.hash = hash
            self.message = message
        }
    }

    /// - Returns: nil if the scalar is not in the range of the curve.
    private init?(_ bytes: consuming SecureBytes) throws(SeedError) {
        do {
            publicKey = try bytes.withBytes { bytes throws(CurveError) in
                try PrivateKey.publicKey(ofScalar: bytes.extracting(0..<Self.scalarCount))
            }
        } catch {
            guard case .scalarOutOfRange = error else { throw .curve(error) }
            return nil
        }
        self.bytes = bytes
    }

    /// The master key of a seed (BIP-32, "Master key generation").
    static func master(of seed: borrowing SecureBytes) throws(SeedError) -> KeyNode? {
        let key: SecureBytes = try converting(
            SeedError.outOfMemory, SecureBytes(copyingPublic: "Bitcoin seed".utf8))
        return try KeyNode(converting(SeedError.outOfMemory, HMAC.sha512.tag(of: seed, key: key)))
    }

    /// A copy of the scalar.
    borrowing func scalar() throws(SeedError) -> SecureBytes {
        var scalar = try guarded(Self.scalarCount)
        bytes.withBytes { bytes in
            scalar.withMutableBytes { $0.copy(bytes.extracting(0..<Self.scalarCount), to: 0) }
        }
        return scalar
    }

    /// The node at the end of a path from this one; nil if a child on the way is not a key.
    borrowing func descendant(_ levels: ArraySlice<UInt32>, _ memory: inout Memory) throws(SeedError)
        -> KeyNode?
    {
        guard let level = levels.first else { return try copy() }
        guard var node = try child(level, &memory) else { return nil }
        for level in levels.dropFirst() {
            guard let next = try node.child(level, &memory) else { return nil }
            node = next
        }
        return node
    }

    /// The public key at the end of a path from this node.
    borrowing func publicKey(of levels: ArraySlice<UInt32>, _ memory: inout Memory) throws(SeedError)
        -> PublicKey?
    {
        guard let node = try descendant(levels, &memory) else { return nil }
        return node.publicKey
    }

    private borrowing func copy() throws(SeedError) -> KeyNode? {
        var copied = try guarded(bytes.count)
        copied.copy(bytes, to: 0)
        return try KeyNode(copied)
    }

    /// A child (BIP-32, "Private parent key → private child key"). Its scalar is the sum of the
    /// parent's scalar and the first half of the hash, modulo the order of the curve.
    private borrowing func child(_ level: UInt32, _ memory: inout Memory) throws(SeedError) -> KeyNode? {
        var derived = try guarded(HMAC.sha512.size)
        let point = publicKey.body
        let isKey = bytes.withBytes { parent in
            derived.withMutableBytes { derived in
                memory.message.lend(37) { message in
                    if level & DerivationPath.hardenedBit == 0 {
                        for (index, byte) in point.enumerated() { message[byte: index] = byte }
                    } else {
                        message.copy(parent.extracting(0..<Self.scalarCount), to: 1)
                    }
                    for index in 0..<4 { message[byte: 33 + index] = UInt8(level >> (24 - 8 * index) & 0xff) }
                    HMAC.sha512.authenticate(
                        message.bytes, key: parent.extracting(Self.scalarCount..<2 * Self.scalarCount),
                        into: &derived, memory: &memory.hash)
                }
                return memory.message.lend(Self.scalarCount) { sum in
                    sum.copy(parent.extracting(0..<Self.scalarCount), to: 0)
                    let isKey = PrivateKey.add(derived.bytes.extracting(0..<Self.scalarCount), toScalar: &sum)
                    derived.copy(sum.bytes, to: 0)
                    return isKey
                }
            }
        }
        return isKey ? try KeyNode(derived) : nil
    }
}
