import AirGap
import Codecs
import Testing

/// The examples of RFC 8949, appendix A, and the refusals of deterministic CBOR.
struct CBORTests {
    typealias Failure = CodeSequenceError

    @Test(
        arguments: [
            (0, "00"), (1, "01"), (10, "0a"), (23, "17"), (24, "1818"), (25, "1819"), (100, "1864"),
            (1000, "1903e8"),
            (1_000_000, "1a000f4240"), (1_000_000_000_000, "1b000000e8d4a51000"),
            (.max, "1bffffffffffffffff"),
            (255, "18ff"), (256, "190100"), (65535, "19ffff"), (65536, "1a00010000"),
            (4_294_967_295, "1affffffff"),
            (4_294_967_296, "1b0000000100000000"),
        ] as [(UInt64, String)])
    func numbers(value: UInt64, hex: String) throws {
        var writer = CBORWriter()
        writer.unsigned(value)
        #expect(Hex.encode(writer.bytes) == hex)
        let read = try CBORReader.readAll(writer.bytes, { $0 }) { reader throws(Failure) in
            try reader.unsigned()
        }
        #expect(read == value)
    }

    @Test func nestedItems() throws {
        var writer = CBORWriter()
        writer.map(2)
        writer.unsigned(1)
        writer.tag(32)
        writer.textString("http://www.example.com")
        writer.unsigned(2)
        writer.array(1)
        writer.byteString([1, 2, 3, 4])
        #expect(
            Hex.encode(writer.bytes)
                == "a201d82076687474703a2f2f7777772e6578616d706c652e636f6d02814401020304")
        try CBORReader.readAll(writer.bytes, { $0 }) { reader throws(Failure) in
            #expect(try reader.map(limit: 2) == 2)
            #expect(try reader.unsigned() == 1)
            #expect(try reader.tag() == 32)
            #expect(try reader.textString(limit: 22) == "http://www.example.com")
            #expect(try reader.unsigned() == 2)
            #expect(try reader.array(limit: 1) == 1)
            #expect(reader.position == 29)
            #expect(try reader.byteString(limit: 4) == [1, 2, 3, 4])
        }
    }

    @Test(
        arguments: [
            ("", .truncated(offset: 0)), ("18", .truncated(offset: 0)), ("1903", .truncated(offset: 0)),
            ("1817", .notDeterministic(offset: 0)), ("1900ff", .notDeterministic(offset: 0)),
            ("1a0000ffff", .notDeterministic(offset: 0)),
            ("1b00000000ffffffff", .notDeterministic(offset: 0)),
            ("1c", .notDeterministic(offset: 0)), ("1f", .notDeterministic(offset: 0)),
            ("20", .unexpectedItem(offset: 0)), ("40", .unexpectedItem(offset: 0)),
            ("f4", .unexpectedItem(offset: 0)),
            ("0000", .trailingBytes(offset: 1)),
        ] as [(String, Failure.CBOR)])
    func refusesNumbers(hex: String, failure: Failure.CBOR) throws {
        let bytes = try Hex.decode(hex)
        #expect(throws: Failure.cbor(failure)) {
            try CBORReader.readAll(bytes, { $0 }) { reader throws(Failure) in try reader.unsigned() }
        }
    }

    @Test(
        arguments: [
            ("43 0102", .truncated(offset: 1)), ("45 0102030405", .tooLong(offset: 0, limit: 4)),
            ("5bffffffffffffffff", .tooLong(offset: 0, limit: 4)),
            ("5f41014102ff", .notDeterministic(offset: 0)),
            ("5803010203", .notDeterministic(offset: 0)), ("63616263", .unexpectedItem(offset: 0)),
        ] as [(String, Failure.CBOR)])
    func refusesByteStrings(hex: String, failure: Failure.CBOR) throws {
        let bytes = try Hex.decode(hex.replacing(" ", with: ""))
        #expect(throws: Failure.cbor(failure)) {
            try CBORReader.readAll(bytes, { $0 }) { reader throws(Failure) in try reader.byteString(limit: 4)
            }
        }
    }

    @Test func refusesTextThatIsNotUTF8() {
        #expect(throws: Failure.cbor(.unexpectedItem(offset: 0))) {
            try CBORReader.readAll([0x62, 0xc3, 0x28], { $0 }) { reader throws(Failure) in
                try reader.textString(limit: 9)
            }
        }
    }
}
