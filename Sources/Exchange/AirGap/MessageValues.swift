import Codecs
import Keys
import Transactions

extension ChainID {
    /// Reads the 32 bytes of a chain id.
    init(reading reader: inout CBORReader, member: UInt64) throws(AirGapError) {
        let bytes = try converting(AirGapError.sequence, reader.byteString(limit: Self.size))
        self = try converting(
            { (_: ChainError) in AirGapError.invalidValue(member: member) }, ChainID(bytes: bytes))
    }
}

extension Array where Element: TypedBody {
    /// The most keys or signatures in one message.
    static var maximumCount: Int { 256 }
    /// In bytes. A WebAuthn signature contains JSON of a browser.
    private static var maximumLength: Int { 4096 }

    /// Reads a list that is not empty: the ABI encoding of each key or signature.
    init(reading reader: inout CBORReader, member: UInt64) throws(AirGapError) {
        let count = try converting(AirGapError.sequence, reader.array(limit: Self.maximumCount))
        guard count > 0 else { throw .invalidValue(member: member) }
        self = []
        for _ in 0..<count {
            let bytes = try converting(AirGapError.sequence, reader.byteString(limit: Self.maximumLength))
            append(
                try converting(
                    { (_: CurveError) in AirGapError.invalidValue(member: member) }, Element(packed: bytes)))
        }
    }
}

extension CBORWriter {
    mutating func write(_ values: [some TypedBody]) {
        array(values.count)
        for value in values { byteString(value.packed) }
    }
}
