import Codecs

/// The type of a UR's content, in lower case (BCR-2020-005): letters, digits and hyphens.
package struct URType: Hashable, Sendable {
    package let name: String

    /// - Parameter name: the name in either case.
    package init(_ name: some Collection<UInt8>) throws(CodeSequenceError) {
        let isValid = name.allSatisfy { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "-") }
        guard isValid, !name.isEmpty else { throw .resource(.invalidType) }
        self.name = String(decoding: name, as: UTF8.self).lowercased()
    }

    private init(known name: String) { self.name = name }

    /// Bytes of unknown meaning, as one CBOR byte string.
    package static let bytes = URType(known: "bytes")
    // The prefix x- is for types that the registry of BCR-2020-006 does not contain.
    package static let transaction = URType(known: "x-eos-transaction")
    package static let signatures = URType(known: "x-eos-signatures")
    package static let signingRequest = URType(known: "x-eos-request")
    package static let publicKeys = URType(known: "x-eos-public-keys")
    package static let file = URType(known: "x-eos-file")
}
