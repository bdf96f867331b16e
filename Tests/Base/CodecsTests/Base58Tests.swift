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
        ("ecac89cad93923c02321", "EJDM8drfXA6uyA"), ("10c8511e", "Rt5zm"),
        ("00000000000000000000", "1111111111"),
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

    /// The text of secret bytes. It is encoded digit by digit, by code other than that for public
    /// bytes.
    static func secretText(_ bytes: [UInt8]) -> String {
        var text = [UInt8](repeating: 0xff, count: Base58.maximumTextCount(for: bytes.count))
        var span = text.mutableSpan
        var raw = unsafe span.mutableBytes
        let count = unsafe Base58.encode(bytes.span.bytes, into: &raw)
        return String(decoding: text.suffix(count), as: UTF8.self)
    }

    /// Decodes digit by digit, as in a calculation by hand.
    static func schoolbookBytes(_ text: String) -> [UInt8] {
        let alphabet = Array("123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz")
        var number: [UInt8] = []
        for character in text {
            var carry = alphabet.firstIndex(of: character) ?? 0
            for index in number.indices {
                carry += Int(number[index]) * 58
                number[index] = UInt8(carry & 0xff)
                carry >>= 8
            }
            if carry > 0 { number.append(UInt8(carry)) }
        }
        return [UInt8](repeating: 0, count: text.prefix { $0 == "1" }.count) + number.reversed()
    }

    @Test func publicAndSecretCodeAgree() throws {
        var generator = SystemRandomNumberGenerator()
        for count in Array(0..<130) + [300] {
            for zeros in [0, 1, 7, 8, 9, count] where zeros <= count {
                var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
                for index in 0..<zeros { bytes[index] = 0 }
                // Also the ends of the range: all ones, and a one as the most significant byte.
                if zeros == 7 { for index in zeros..<count { bytes[index] = 0xff } }
                if zeros == 8, count > 8 {
                    for index in zeros..<count { bytes[index] = index == zeros ? 1 : 0 }
                }
                let text = Base58.encode(bytes)
                #expect(text == Self.secretText(bytes))
                #expect(Self.schoolbookBytes(text) == bytes)
                #expect(try Base58.decode(text.utf8) == bytes)
                var target = [UInt8](repeating: 0xff, count: count)
                var span = target.mutableSpan
                var raw = unsafe span.mutableBytes
                unsafe try Base58.decode(Array(text.utf8).span.bytes, into: &raw)
                #expect(target == bytes)
            }
        }
    }

    /// The longest texts, with the largest digit and with the two smallest digits.
    @Test(arguments: ["z", "1", "2"])
    func longestText(digit: String) throws {
        let text = String(repeating: digit, count: Base58.maximumCount)
        let bytes = try Base58.decode(text.utf8)
        #expect(bytes == Self.schoolbookBytes(text))
        #expect(Base58.encode(bytes) == text)
    }

    /// The offset counts from the start of the text, at any position in a group of ten characters.
    @Test(arguments: [0, 9, 10, 11, 19, 20, 25])
    func reportsFirstInvalidCharacter(offset: Int) {
        var text = Array(String(repeating: "a", count: 26).utf8)
        text[offset] = UInt8(ascii: "0")
        if offset < 25 { text[25] = UInt8(ascii: "l") }
        #expect(throws: CodecError.invalidBase58Character(offset: offset)) { try Base58.decode(text) }
    }

    /// All other bytes are refused, with their offset.
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
