import SecureMemory
import Testing

@testable import Codecs

struct Base58Tests {
    /// bitcoin/bitcoin, src/test/data/base58_encode_decode.json.
    @Test(arguments: [
        ("", ""), ("61", "2g"), ("626262", "a3gV"), ("636363", "aPEr"),
        ("73696d706c792061206c6f6e6720737472696e67", "2cFupjhnEsSn59qHXstmK2ffpLv2"),
        ("00eb15231dfceb60925886b67d065299925915aeb172c06647", "1NS17iag9jJgTHD1VXjvLCEnZuQ3rJDE9L"),
        ("516b6fcd0f", "ABnLTmg"), ("bf4f89001e670274dd", "3SEo3LWLoPntC"), ("572e4794", "3EFU7m"),
        ("ecac89cad93923c02321", "EJDM8drfXA6uyA"), ("10c8511e", "Rt5zm"), ("00000000000000000000", "1111111111"),
    ])
    func knownValues(hex: String, text: String) throws {
        let bytes = try Hex.decode(hex)
        #expect(Base58.encode(bytes) == text)
        #expect(try Base58.decode(text.utf8) == bytes)
    }

    @Test func roundTripOfAllLengths() throws {
        var generator = SystemRandomNumberGenerator()
        for count in 0..<128 {
            for zeros in [0, 1, count] {
                var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                for index in 0..<min(zeros, count) { bytes[index] = 0 }
                #expect(try Base58.decode(Base58.encode(bytes).utf8) == bytes)
            }
        }
    }

    /// The alphabet is closed: each other byte is refused where it stands.
    @Test func refusesEveryOtherByte() throws {
        let alphabet = Set("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz".utf8)
        for byte in UInt8.min...UInt8.max {
            let text = [UInt8(ascii: "a"), byte]
            if alphabet.contains(byte) {
                _ = try Base58.decode(text)
            } else {
                #expect(throws: CodecError.invalidBase58Character(offset: 1)) { try Base58.decode(text) }
            }
        }
    }

    @Test(arguments: ["2g", "12g", "1a3gV", "aPErX"])
    func fixedLengthIsExact(text: String) throws {
        let bytes = try Base58.decode(text.utf8)
        for count in 0..<8 {
            var target = [UInt8](repeating: 0xff, count: count)
            func decode() throws(CodecError) {
                var span = target.mutableSpan
                var raw = unsafe span.mutableBytes
                unsafe try Base58.decode(Array(text.utf8).span.bytes, into: &raw)
            }
            if count == bytes.count {
                try decode()
                #expect(target == bytes)
            } else {
                #expect(throws: CodecError.wrongBase58Length(expected: count)) { try decode() }
            }
        }
    }

    @Test func capsTheLength() {
        let text = [UInt8](repeating: UInt8(ascii: "z"), count: Base58.maximumCount + 1)
        #expect(throws: CodecError.base58TooLong(limit: 4096)) { try Base58.decode(text) }
    }
}
