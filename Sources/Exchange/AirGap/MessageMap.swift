import Codecs

/// The members of a message: a map whose keys are small numbers, in ascending order (RFC 8949,
/// 4.2.1). Members that a type does not have are refused.
enum MessageMap {
    /// Reads all members. `read` reads the value of one member.
    /// - Parameter known: the keys that the type has.
    static func read(
        _ cbor: [UInt8], known: ClosedRange<UInt64>,
        _ read: (UInt64, inout CBORReader) throws(AirGapError) -> Void
    ) throws(AirGapError) {
        try CBORReader.readAll(cbor, AirGapError.sequence) { reader throws(AirGapError) in
            let count = try converting(AirGapError.sequence, reader.map(limit: known.count))
            var last: UInt64 = 0
            for _ in 0..<count {
                let key = try converting(AirGapError.sequence, reader.unsigned())
                guard known.contains(key) else { throw .unknownMember(key) }
                guard key > last else { throw .memberOrder(key) }
                last = key
                try read(key, &reader)
            }
        }
    }
}

extension CBORWriter {
    /// Writes a map.
    /// - Parameter members: the keys in ascending order, and a function that writes the value; nil
    ///   for a member that is left out.
    static func map(_ members: KeyValuePairs<UInt64, ((inout CBORWriter) -> Void)?>) -> [UInt8] {
        var writer = CBORWriter()
        writer.map(members.count { $0.value != nil })
        for (key, write) in members {
            guard let write else { continue }
            writer.unsigned(key)
            write(&writer)
        }
        return writer.bytes
    }
}

extension Optional {
    /// The value of a member that each message of the type has.
    func required(_ key: UInt64) throws(AirGapError) -> Wrapped {
        guard let self else { throw .missingMember(key) }
        return self
    }
}
