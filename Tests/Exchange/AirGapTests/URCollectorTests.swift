import AirGap
import Testing

/// Several messages arrive at once, with damage among them.
struct URCollectorTests {
    /// A message of 300 bytes whose content depends on a number.
    private static func encoder(_ seed: UInt8, length: Int = 300, maximumFragment: Int = 30) throws
        -> UREncoder
    {
        let cbor = (0..<length).map { UInt8(truncatingIfNeeded: $0 * 7) ^ seed }
        return try UREncoder(UniformResource(type: .bytes, cbor: cbor), maximumFragment: maximumFragment)
    }

    @Test func aForeignFirstPartBlocksNothing() throws {
        let (foreign, right) = (try Self.encoder(1), try Self.encoder(2))
        var collector = URCollector()
        #expect(try collector.add(foreign.text(1).utf8) == nil)
        for number in 1..<UInt32(right.count) {
            #expect(try collector.add(right.text(number).utf8) == nil)
        }
        #expect(try collector.add(right.text(UInt32(right.count)).utf8) == right.resource)
        #expect(collector.assemblies.count == 1)
    }

    @Test func eightMessagesAreCollectedAtOnce() throws {
        let encoders = try (0..<8).map { try Self.encoder(UInt8($0)) }
        var collector = URCollector()
        for number in 1..<UInt32(10) {
            for encoder in encoders { #expect(try collector.add(encoder.text(number).utf8) == nil) }
        }
        #expect(collector.assemblies.count == URCollector.maximumCount)
        for encoder in encoders { #expect(try collector.add(encoder.text(10).utf8) == encoder.resource) }
        #expect(collector.assemblies.isEmpty)
    }

    @Test func aNinthMessageReplacesTheOneWithTheFewestFragments() throws {
        let right = try Self.encoder(0)
        var collector = URCollector()
        #expect(try collector.add(right.text(1).utf8) == nil)
        #expect(try collector.add(right.text(2).utf8) == nil)
        for seed in 1..<100 { #expect(try collector.add(Self.encoder(UInt8(seed)).text(1).utf8) == nil) }
        #expect(collector.assemblies.count == URCollector.maximumCount)
        for number in 3..<UInt32(10) { #expect(try collector.add(right.text(number).utf8) == nil) }
        #expect(try collector.add(right.text(10).utf8) == right.resource)
    }

    @Test func aDamagedMessageIsForgotten() throws {
        let encoder = try Self.encoder(3)
        let forged = try Self.encoder(4).part(1)
        let header = encoder.part(1).header
        let body = URPart.cbor(1, header.count, UInt32(header.messageLength), header.checksum, forged.data)
        let text = "ur:bytes/1-\(header.count)/\(Bytewords.minimal.encode(body))"
        var collector = URCollector()
        #expect(try collector.add(text.utf8) == nil)
        for number in 2..<header.count { #expect(try collector.add(encoder.text(number).utf8) == nil) }
        #expect(throws: CodeSequenceError.resource(.damagedMessage)) {
            try collector.add(encoder.text(header.count).utf8)
        }
        #expect(collector.assemblies.isEmpty)
        for number in 1..<header.count { #expect(try collector.add(encoder.text(number).utf8) == nil) }
        #expect(try collector.add(encoder.text(header.count).utf8) == encoder.resource)
    }

    @Test func aWholeMessageIsReturnedAtOnce() throws {
        let encoder = try Self.encoder(5, length: 20)
        var collector = URCollector()
        #expect(encoder.count == 1)
        #expect(try collector.add(encoder.text(1).uppercased().utf8) == encoder.resource)
        #expect(try collector.add(encoder.part(7).text.utf8) == encoder.resource)
    }

    @Test func anotherTextChangesNothing() throws {
        let encoder = try Self.encoder(6)
        var collector = URCollector()
        #expect(try collector.add(encoder.text(1).utf8) == nil)
        #expect(throws: CodeSequenceError.resource(.notUR)) { try collector.add("https://example.com".utf8) }
        #expect(collector.assemblies.map(\.missing) == [9])
        #expect(collector.assemblies.map(\.received) == [1])
    }

    /// Padding is zero, so that a message has one form.
    @Test func refusesPaddingThatIsNotZero() throws {
        let encoder = try Self.encoder(7, length: 25, maximumFragment: 13)
        let last = encoder.part(2)
        #expect(last.data.last == 0)
        let body = URPart.cbor(2, 2, 25, last.header.checksum, last.data.dropLast() + [1])
        var collector = URCollector()
        #expect(try collector.add(encoder.text(1).utf8) == nil)
        #expect(throws: CodeSequenceError.resource(.damagedMessage)) {
            try collector.add("ur:bytes/2-2/\(Bytewords.minimal.encode(body))".utf8)
        }
    }
}
