import Codecs

/// The all-zero public key, which is not a point of the curve: no one has a private key for it.
/// Chains accept it as a value, and accounts set it to make a permission unusable (`public_key()`
/// of AntelopeIO/spring, libraries/libfc/include/fc/crypto/public_key.hpp).
///
/// It is allowed only in action data, as a K1 key. `PublicKey` can't represent it, so it never
/// signs. cleos and nodeos use the same texts (`Vectors/abi.json`).
package enum NullKey {
    package static let legacyText = "EOS1111111111111111111111111111111114T1Anm"
    static let canonicalText = "PUB_K1_11111111111111111111111111111111149Mr2R"
    /// Type byte and body.
    static let count = 34

    package static func isText(_ text: String) -> Bool { text == legacyText || text == canonicalText }

    static func write(to writer: inout ByteWriter) {
        writer.write(bytes: [UInt8](repeating: 0, count: count))
    }
}
