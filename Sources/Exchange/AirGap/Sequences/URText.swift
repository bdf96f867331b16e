/// The text of one code: a whole message or a part of one (BCR-2020-005, BCR-2024-001).
package enum URText: Equatable, Sendable {
    case whole(UniformResource)
    case part(URPart)

    /// The longest text: a whole message of the greatest length, two letters per byte, with the
    /// checksum, and room for its type.
    private static let maximumCount = 2 * UniformResource.maximumLength + 1024

    /// - Parameter text: in either case. Each character is ASCII.
    package init(_ text: some Collection<UInt8>) throws(CodeSequenceError) {
        guard text.count <= Self.maximumCount else {
            throw .resource(.messageTooLong(text.count / 2, limit: UniformResource.maximumLength))
        }
        guard ["ur:", "UR:", "Ur:", "uR:"].contains(String(decoding: text.prefix(3), as: UTF8.self)) else {
            throw .resource(.notUR)
        }
        let components = text.dropFirst(3).split(
            separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard (2...3).contains(components.count), let body = components.last, !body.isEmpty else {
            throw .resource(.notUR)
        }
        let type = try URType(components[0])
        if components.count == 2 {
            self = .whole(try UniformResource(type: type, cbor: Bytewords.minimal.decode(body)))
        } else {
            let (number, count) = try Self.sequence(components[1])
            let part = try URPart(type: type, cbor: Bytewords.minimal.decode(body))
            guard (part.number, part.count) == (number, count) else { throw .resource(.sequenceMismatch) }
            self = .part(part)
        }
    }

    private static func sequence(_ text: some Collection<UInt8>) throws(CodeSequenceError) -> (UInt32, UInt32)
    {
        let numbers = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard numbers.count == 2, let first = number(numbers[0]), let count = number(numbers[1]) else {
            throw .resource(.invalidSequence)
        }
        return (first, count)
    }

    /// A decimal number of 1 to 2^32 - 1, without leading zeros.
    private static func number(_ text: some Collection<UInt8>) -> UInt32? {
        guard text.count <= 10, text.first != UInt8(ascii: "0"),
            text.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
        else { return nil }
        return UInt32(String(decoding: text, as: UTF8.self))
    }
}
