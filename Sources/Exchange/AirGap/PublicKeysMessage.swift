import Codecs
import Keys

/// Public keys, for example of a vault.
package struct PublicKeysMessage: Equatable, Sendable {
    private static let keys: UInt64 = 1

    package let keys: [PublicKey]

    package init(keys: [PublicKey]) { self.keys = keys }

    package init(cbor: [UInt8]) throws(AirGapError) {
        var keys: [PublicKey]?
        try MessageMap.read(cbor, known: Self.keys...Self.keys) { key, reader throws(AirGapError) in
            keys = try [PublicKey](reading: &reader, member: key)
        }
        self.keys = try keys.required(Self.keys)
    }

    package var cbor: [UInt8] { CBORWriter.map([Self.keys: { $0.write(keys) }]) }
}
