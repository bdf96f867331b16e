import AirGap
import Testing

/// Limits of messages, parts and options, and texts that other implementations accept.
struct URRefusalTests {
    typealias Failure = CodeSequenceError.Resource

    private static func part(
        _ number: UInt32, _ count: UInt32, length: UInt32, checksum: UInt32 = 1, data: Int
    ) -> String {
        let body = URPart.cbor(number, count, length, checksum, [UInt8](repeating: 7, count: data))
        return "ur:bytes/\(number)-\(count)/\(Bytewords.minimal.encode(body))"
    }

    @Test func limitsOfMessages() throws {
        let limit = UniformResource.maximumLength
        let longest = try UniformResource(type: .bytes, cbor: [UInt8](repeating: 0, count: limit))
        #expect(try UniformResource(longest.text.utf8) == longest)
        #expect(throws: CodeSequenceError.resource(.messageTooLong(limit + 1, limit: limit))) {
            try UniformResource(type: .bytes, cbor: longest.cbor + [0])
        }
        #expect(throws: CodeSequenceError.resource(.emptyMessage)) {
            try UniformResource(type: .bytes, cbor: [])
        }
        let text = "ur:bytes/" + String(repeating: "ae", count: limit + 1000)
        #expect(throws: CodeSequenceError.resource(.messageTooLong(limit + 1004, limit: limit))) {
            try URText(text.utf8)
        }
    }

    @Test func limitsOfEncoders() throws {
        let limit = UniformResource.maximumLength
        let resource = try UniformResource(type: .bytes, cbor: [UInt8](repeating: 0, count: 100_000))
        #expect(throws: CodeSequenceError.resource(.fragmentOutOfRange(9, minimum: 10, limit: limit))) {
            try UREncoder(resource, maximumFragment: 9)
        }
        #expect(throws: CodeSequenceError.resource(.fragmentOutOfRange(limit + 1, minimum: 10, limit: limit)))
        {
            try UREncoder(resource, maximumFragment: limit + 1)
        }
        #expect(throws: CodeSequenceError.resource(.fragmentOutOfRange(5, minimum: 0, limit: limit))) {
            try UREncoder(resource, maximumFragment: 5, minimumFragment: 0)
        }
        #expect(throws: CodeSequenceError.resource(.tooManyFragments(9091, limit: URPart.maximumCount))) {
            try UREncoder(resource, maximumFragment: 11)
        }
        #expect(try UREncoder(resource, maximumFragment: 13).count == 7693)
    }

    @Test func limitsOfParts() throws {
        let limit = URPart.maximumCount
        let longest = try URText(Self.part(1, UInt32(limit), length: UInt32(limit), data: 1).utf8)
        #expect(longest != .whole(try UniformResource(type: .bytes, cbor: [0])))
        #expect(throws: CodeSequenceError.resource(.tooManyFragments(limit + 1, limit: limit))) {
            try URText(Self.part(1, UInt32(limit) + 1, length: UInt32(limit) + 1, data: 1).utf8)
        }
        #expect(throws: CodeSequenceError.resource(.messageTooLong((1 << 20) + 1, limit: 1 << 20))) {
            try URText(Self.part(1, 2, length: (1 << 20) + 1, data: 10).utf8)
        }
    }

    @Test(
        arguments: [
            (part(1, 2, length: 0, data: 10), .inconsistentLengths),
            (part(1, 2, length: 10, data: 10), .inconsistentLengths),
            (part(1, 2, length: 21, data: 10), .inconsistentLengths),
            (part(1, 2, length: 20, data: 0), .inconsistentLengths),
            ("ur:bytes/0-2/ae", .invalidSequence), ("ur:bytes/1-2-3/ae", .invalidSequence),
            ("ur:bytes/1/ae", .invalidSequence), ("ur:bytes/4294967296-2/ae", .invalidSequence),
            ("ur:bytes/1-2/3/ae", .notUR), ("ur:bytes/1-2/", .notUR), ("ur:bytes", .notUR), ("ur", .notUR),
            ("", .notUR), ("urn:bytes/ae", .notUR), ("ur:by_tes/ae", .invalidType), ("ur:/ae", .invalidType),
        ] as [(String, Failure)])
    func refusals(text: String, failure: Failure) {
        #expect(throws: CodeSequenceError.resource(failure)) { try URText(text.utf8) }
    }

    @Test func aPartIsNoWholeMessage() throws {
        #expect(throws: CodeSequenceError.resource(.notUR)) {
            try UniformResource(Self.part(1, 2, length: 20, data: 10).utf8)
        }
    }

    /// Part 0 does not exist; the number of the first part is used.
    @Test func partsAreCountedFromOne() throws {
        let encoder = try UREncoder(
            UniformResource(type: .bytes, cbor: [UInt8](repeating: 5, count: 30)), maximumFragment: 10)
        #expect(encoder.part(0) == encoder.part(1))
    }
}
