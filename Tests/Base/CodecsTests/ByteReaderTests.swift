import Testing

@testable import Codecs

struct ByteReaderTests {
    func varuint(_ bytes: [UInt8]) throws(CodecError) -> UInt32 {
        try ByteReader.read(bytes) { reader throws(CodecError) in
            let value = try reader.readVaruint32()
            try reader.expectEnd()
            return value
        }
    }

    @Test(arguments: [UInt32(0), 1, 127, 128, 300, 16383, 16384, 1 << 21, 1 << 28, .max])
    func varuintRoundTrip(value: UInt32) throws {
        var writer = ByteWriter()
        writer.write(varuint32: value)
        #expect(try varuint(writer.bytes) == value)
    }

    @Test(
        arguments: [
            ([0x80, 0x00], CodecError.invalidVaruint(offset: 0)),
            ([0xff, 0xff, 0xff, 0xff, 0x1f], .invalidVaruint(offset: 0)),
            ([0x80, 0x80, 0x80, 0x80, 0x80, 0x01], .invalidVaruint(offset: 0)),
            ([0x80], .unexpectedEnd(offset: 1, needed: 1, remaining: 0)),
            ([], .unexpectedEnd(offset: 0, needed: 1, remaining: 0)),
            ([0x01, 0x02], .trailingBytes(offset: 1, count: 1)),
        ] as [([UInt8], CodecError)])
    func refusesVaruint(bytes: [UInt8], error: CodecError) {
        #expect(throws: error) { try varuint(bytes) }
    }

    @Test func hugeLengthIsRefused() {
        #expect(throws: CodecError.unexpectedEnd(offset: 5, needed: 0xffff_ffff, remaining: 1)) {
            try ByteReader.read([0xff, 0xff, 0xff, 0xff, 0x0f, 0x00]) { reader throws(CodecError) in
                try reader.readPrefixedBytes()
            }
        }
    }

    @Test func integersAreLittleEndian() throws {
        let value = try ByteReader.read([0x01, 0x02, 0x03, 0x04]) { reader throws(CodecError) in
            try reader.readInteger(UInt32.self)
        }
        #expect(value == 0x0403_0201)
        var writer = ByteWriter()
        writer.write(integer: Int16(-2))
        #expect(writer.bytes == [0xfe, 0xff])
    }

    @Test(arguments: [
        ("0", CodecError.oddHexLength(count: 1)), ("0g", .invalidHexDigit(offset: 1)),
        (" 00", .invalidHexDigit(offset: 0)),
    ])
    func refusesHex(text: String, error: CodecError) {
        #expect(throws: error) { try Hex.decode(text) }
    }
}
