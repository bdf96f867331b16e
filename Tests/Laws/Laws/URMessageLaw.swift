import AirGap
import JSON

/// Lines are parts of messages. The collector returns only messages whose parts were read, and
/// holds at most 8. The bytes themselves, divided into parts, give the same bytes again. As CBOR of
/// each type of message, they are refused or encode to the same bytes.
///
/// The first byte of an input selects the fragment length.
public enum URMessageLaw: Law {
    public static let name = "URMessage"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let messages: [[UInt8]] = [
            [0, 0xd8, 0x20, 0x65] + Array("esr:A".utf8),
            [0, 0xa1, 1, 0x81, 0x58, 0x22, 0, 2] + Array(repeating: 1, count: 32),
            [0, 0xa2, 1, 2, 2, 0x47, 1, 2, 0, 0xfd, 0xff] + Array("{}".utf8),
        ]
        return messages
            + vectors.tests("ur").compactMap { row in
                guard row["kind"]?.string == "decode", let parts = row["parts"]?.array else { return nil }
                let lines = parts.compactMap { $0.string }.joined(separator: "\n")
                return lines.utf8.count < 3500 ? [UInt8(ascii: "\n")] + Array(lines.utf8) : nil
            }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let first = input.first else { return }
        var collector = URCollector()
        for line in input.dropFirst().split(separator: UInt8(ascii: "\n")) {
            do {
                guard let message = try collector.add(line) else { continue }
                try law(!message.cbor.isEmpty, "a message has bytes")
            } catch let broken as LawBroken { throw broken } catch {}
            try law(collector.assemblies.count <= URCollector.maximumCount, "at most 8 messages")
        }
        try checkTypes(Array(input.dropFirst()))
        try checkRoundTrip(Array(input.dropFirst()), maximumFragment: Int(first) + UREncoder.minimumFragment)
    }

    private static func checkTypes(_ bytes: [UInt8]) throws(LawBroken) {
        for type in [URType.transaction, .signatures, .signingRequest, .publicKeys, .file] {
            let again: UniformResource
            do {
                again = try AirGapMessage(UniformResource(type: type, cbor: bytes)).resource()
            } catch { continue }
            try law(again.type == type && again.cbor == bytes, "\(type.name) encodes to the same bytes")
        }
    }

    private static func checkRoundTrip(_ bytes: [UInt8], maximumFragment: Int) throws(LawBroken) {
        guard !bytes.isEmpty else { return }
        let encoder = try must("the bytes are encoded") {
            try UREncoder(UniformResource(type: .bytes, cbor: bytes), maximumFragment: maximumFragment)
        }
        var collector = URCollector()
        // Only even numbers: the fragments themselves are not enough.
        for number in stride(from: 2, through: UInt32(encoder.count) * 20 + 200, by: 2) {
            let message = try must("a part is read") { try collector.add(encoder.text(number).utf8) }
            guard let message else { continue }
            return try law(message == encoder.resource, "the message is equal")
        }
        throw LawBroken(description: "the message is not complete")
    }
}
