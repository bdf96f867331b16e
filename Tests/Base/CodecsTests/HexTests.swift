import Codecs
import Testing

struct HexTests {
    /// The values of RFC 4648, section 8, for both letter cases.
    static func value(_ character: UInt8) -> UInt8? {
        Array("0123456789abcdef".utf8).firstIndex(of: character).map { UInt8($0) }
            ?? Array("0123456789ABCDEF".utf8).firstIndex(of: character).map { UInt8($0) }
    }

    @Test func everyCharacterHasItsValue() {
        for character in UInt8.min...UInt8.max { #expect(Hex.value(of: character) == Self.value(character)) }
    }

    @Test func everyByteReadsBack() throws {
        let bytes = Array(UInt8.min...UInt8.max)
        let text = Hex.encode(bytes)
        #expect(
            text.utf8.count == 512 && text.hasPrefix("000102") && text.hasSuffix("fdfeff")
                && text.contains("9a9b"))
        #expect(try Hex.decode(text) == bytes)
        #expect(try Hex.decode(text.uppercased()) == bytes)
        #expect(try Hex.decode("") == [])
    }

    @Test func everyPairIsDecodedOrRefused() {
        for high in UInt8.min...UInt8.max {
            for low in [UInt8(ascii: "0"), UInt8(ascii: "f"), UInt8(ascii: "g"), 0, 0x3a, 0x80, 0xff] {
                var found: Result<[UInt8], CodecError>
                do throws(CodecError) { found = .success(try Hex.decode(utf8: [high, low])) } catch {
                    found = .failure(error)
                }
                let expected: Result<[UInt8], CodecError> =
                    if let left = Self.value(high) {
                        if let right = Self.value(low) {
                            .success([left << 4 | right])
                        } else {
                            .failure(.invalidHexDigit(offset: 1))
                        }
                    } else { .failure(.invalidHexDigit(offset: 0)) }
                #expect(found == expected)
            }
        }
    }

    @Test(arguments: [
        ("0", CodecError.oddHexLength(count: 1)), ("00f", .oddHexLength(count: 3)),
        ("00g", .invalidHexDigit(offset: 2)),
        ("0g1", .invalidHexDigit(offset: 1)), ("gg", .invalidHexDigit(offset: 0)),
        ("0x12", .invalidHexDigit(offset: 1)),
        ("12 34", .invalidHexDigit(offset: 2)),
    ])
    func refuses(text: String, error: CodecError) {
        #expect(throws: error) { try Hex.decode(text) }
    }
}
