import Testing

@testable import JSON

@Suite struct JSONReaderTests {
    /// Names are compared by their bytes. Normalising the second text would take minutes.
    @Test func namesAreComparedByBytes() {
        #expect("requiredKeys".isAny(of: ["abis", "requiredKeys"]) && !"".isAny(of: []))
        #expect("required\u{212a}eys" == "requiredKeys")
        #expect(!"required\u{212a}eys".hasBytes(of: "requiredKeys"))
        let marks = ["\u{301}", "\u{316}"].map { String(repeating: $0, count: 500_000) }.joined()
        #expect(!("x" + marks).hasBytes(of: "x") && !marks.isAny(of: ["transaction", "x" + marks]))
    }

    // MARK: - accepted

    static let accepted: [(text: String, compact: String)] = [
        ("null", "null"), (" true\r\n\t", "true"), ("false", "false"), ("0", "0"), ("-0", "-0"),
        ("-0.0e+00", "-0.0e+00"),
        ("340282366920938463463374607431768211456", "340282366920938463463374607431768211456"),
        ("1e-7", "1e-7"),
        ("1E+400", "1E+400"), ("[]", "[]"), ("[ ]", "[]"), ("{ }", "{}"),
        ("[1 , [2],\n{\"a\" : 3}]", "[1,[2],{\"a\":3}]"),
        (#""\u0041\/\b\f\n\r\t\"\\""#, #""A/\u0008\u000c\n\r\t\"\\""#), (#""\ud83d\ude00""#, "\"😀\""),
        (#""\u0000\u001F\u007f""#, #""\u0000\u001f\u007f""#),
        ("\"\u{7f}long enough\u{7f} for \u{7f}\u{80}\"", "\"\\u007flong enough\\u007f for \\u007f\u{80}\""),
        ("\"long enough for eight bytes at once: é漢😀\"", "\"long enough for eight bytes at once: é漢😀\""),
        (#"{"a":1,"A":2,"\u0061b":3}"#, #"{"a":1,"A":2,"ab":3}"#),
        // One character in two spellings makes two keys.
        ("{\"\u{e9}\":1,\"e\u{301}\":2}", "{\"\u{e9}\":1,\"e\u{301}\":2}"),
    ]

    @Test(arguments: accepted) func accepts(_ row: (text: String, compact: String)) throws {
        let bytes = Array(row.text.utf8)
        #expect(try JSONValue.parse(bytes).text().utf8.elementsEqual(row.compact.utf8))
        try JSONReader.read(bytes) { reader throws(JSONError) in
            try reader.skipValue()
            try reader.expectEnd()
        }
    }

    /// A text in memory of the caller is read like an array.
    @Test(arguments: accepted) func readsMemoryOfTheCaller(_ row: (text: String, compact: String)) throws {
        let bytes = Array(row.text.utf8)
        let value = try JSONReader.read(bytes.span.bytes, orThrow: { $0 }) { reader throws(JSONError) in
            let value = try JSONValue(from: &reader)
            try reader.expectEnd()
            return value
        }
        #expect(value.text().utf8.elementsEqual(row.compact.utf8))
    }

    @Test(arguments: [
        "", "plain", #"\u0041\/\b\"\\"#, #"\ud83d\ude00 é漢😀"#, #"\u0000"#, "long enough for eight bytes",
    ]) func copiesAValue(_ text: String) throws {
        let bytes = Array("[\"\(text)\"]".utf8)
        let (value, copy) = try JSONReader.read(bytes.span.bytes, orThrow: { $0 }) {
            reader throws(JSONError) in
            try reader.beginArray()
            _ = try reader.nextElement()
            let token = try reader.readString()
            var copy = [UInt8](repeating: 0xff, count: token.maximumCount + 1)
            var span = copy.mutableSpan
            var raw = span.mutableBytes
            let count = reader.copyValue(of: token, to: &raw)
            #expect(copy.last == 0xff)
            return (reader.text(of: token), Array(copy[..<count]))
        }
        #expect(copy == Array(value.utf8))
    }

    /// Memory that is too short gets the first bytes.
    @Test func copiesOnlyWhatFits() throws {
        var copy: [UInt8] = [0, 0]
        let count = try JSONReader.read(Array("\"abc\"".utf8).span.bytes, orThrow: { $0 }) {
            reader throws(JSONError) in
            let token = try reader.readString()
            var span = copy.mutableSpan
            var raw = span.mutableBytes
            return reader.copyValue(of: token, to: &raw)
        }
        #expect(count == 2 && copy == [97, 98])
    }

    // MARK: - refused

    static let refused: [(text: String, reason: JSONError.Reason, offset: Int)] = [
        ("", .unexpectedEnd, 0), ("  ", .unexpectedEnd, 2), ("+1", .unexpectedByte(0x2b), 0),
        (".5", .unexpectedByte(0x2e), 0),
        ("NaN", .unexpectedByte(0x4e), 0), ("Infinity", .unexpectedByte(0x49), 0),
        ("-Infinity", .missingDigits, 1),
        ("01", .leadingZero, 1), ("-01", .leadingZero, 2), ("1.", .missingDigits, 2),
        ("1.e3", .missingDigits, 2),
        ("1e", .missingDigits, 2), ("1e+", .missingDigits, 3), ("-", .missingDigits, 1),
        ("0x10", .trailingBytes, 1),
        ("1 2", .trailingBytes, 2), ("{} x", .trailingBytes, 3), ("nul", .unexpectedEnd, 3),
        ("nulL", .unexpectedByte(0x4c), 3),
        ("truex", .unexpectedByte(0x78), 4), ("True", .unexpectedByte(0x54), 0),
        ("[1,]", .unexpectedByte(0x5d), 3),
        ("[,1]", .unexpectedByte(0x2c), 1), ("[1 2]", .unexpectedByte(0x32), 3), ("[1", .unexpectedEnd, 2),
        ("[", .unexpectedEnd, 1),
        ("[1}", .unexpectedByte(0x7d), 2), ("]", .unexpectedByte(0x5d), 0),
        ("{\"a\":1,}", .unexpectedByte(0x7d), 7),
        ("{\"a\"}", .unexpectedByte(0x7d), 4), ("{\"a\":}", .unexpectedByte(0x7d), 5),
        ("{a:1}", .unexpectedByte(0x61), 1),
        ("{1:1}", .unexpectedByte(0x31), 1), ("{\"a\":1 \"b\":2}", .unexpectedByte(0x22), 7),
        ("{\"a\" 1}", .unexpectedByte(0x31), 5),
        ("'a'", .unexpectedByte(0x27), 0), ("\"a", .unexpectedEnd, 2),
        ("\"a\nb\"", .controlCharacter(0x0a), 2),
        ("\"\0\"", .controlCharacter(0), 1), ("\0", .unexpectedByte(0), 0), (#""\x41""#, .invalidEscape, 1),
        (#""\u12g4""#, .invalidEscape, 1), (#""\u123"#, .unexpectedEnd, 6), (#""\"#, .unexpectedEnd, 2),
        (#""\ud800""#, .loneSurrogate, 1), (#""\udc00""#, .loneSurrogate, 1),
        (#""\ud800\ud800""#, .loneSurrogate, 1),
        (#""\ud800A""#, .loneSurrogate, 1), ("{\"a\":1,\"a\":2}", .duplicateKey, 7),
        (#"{"a":1,"\u0061":2}"#, .duplicateKey, 7),
        ("[{\"k\":{},\"k\":[]}]", .duplicateKey, 9), ("\u{feff}1", .byteOrderMark, 0),
        ("// c\n1", .unexpectedByte(0x2f), 0),
    ]

    @Test(arguments: refused) func refuses(_ row: (text: String, reason: JSONError.Reason, offset: Int)) {
        let bytes = Array(row.text.utf8)
        for parse in [parseTree, skip] {
            let error = #expect(throws: JSONError.self) { try parse(bytes) }
            #expect(error?.reason == row.reason)
            #expect(error?.offset == row.offset)
        }
    }

    @Test(
        arguments: [
            [0x80], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80], [0xed, 0xa0, 0x80],
            [0xf0, 0x80, 0x80, 0x80],
            [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xe2, 0x82], [0xf0, 0x9f, 0x98], [0xff],
            [0xc3, 0x28],
        ] as [[UInt8]]) func refusesInvalidUTF8(_ bad: [UInt8])
    {
        let bytes = Array("\"ab".utf8) + bad + Array("\"".utf8)
        for parse in [parseTree, skip] {
            let error = #expect(throws: JSONError.self) { try parse(bytes) }
            #expect(error?.reason == .invalidUTF8)
            #expect(error?.offset == 3)
        }
    }

    @Test func manyKeysAreCompared() throws {
        let keys = (0..<1000).map { "\"k\($0)\":0" }
        _ = try JSONValue.parse(Array("{\(keys.joined(separator: ","))}".utf8))
        let error = #expect(throws: JSONError.self) {
            try JSONValue.parse(Array("{\((keys + ["\"k7\":1"]).joined(separator: ","))}".utf8))
        }
        #expect(error?.reason == .duplicateKey)
    }

    // MARK: - limits and places

    @Test func depthIsCapped() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        _ = try JSONValue.parse(nested(128))
        for bytes in [
            nested(129), nested(10_000), Array(String(repeating: "{\"a\":", count: 1_000_000).utf8),
        ] {
            for parse in [parseTree, skip] {
                let error = #expect(throws: JSONError.self) { try parse(bytes) }
                #expect(error?.reason == .tooDeep(limit: 128))
            }
        }
    }

    @Test func sizeIsCapped() {
        let error = #expect(throws: JSONError.self) {
            try JSONValue.parse(Array("[1,2]".utf8), limits: JSONLimits(size: 4))
        }
        #expect(error?.reason == .tooLong(limit: 4))
    }

    @Test func errorsNameLineAndColumn() {
        let error = #expect(throws: JSONError.self) {
            try JSONValue.parse(Array("{\n  \"é\": 1,\n  \"漢\": x\n}".utf8))
        }
        #expect(error == JSONError(reason: .unexpectedByte(0x78), offset: 22, line: 3, column: 8))
    }

    /// At any other text, only white space is skipped.
    @Test(
        arguments: [
            ("0", 0), (" 7 ", 7), ("999999999999999999", 999_999_999_999_999_999), ("10", 10),
            ("1000000000000000000", nil), ("-1", nil), ("-0", nil), ("00", nil), ("01", nil), ("1.5", nil),
            ("1.", nil), ("1e3", nil), ("1E3", nil), ("\"1\"", nil), ("", nil), ("x", nil), ("null", nil),
        ] as [(String, UInt64?)])
    func readsShortNaturals(text: String, number: UInt64?) throws {
        for end in ["", ",", "]", "x", "        "] {
            let found = try JSONReader.read(Array((text + end).utf8)) { reader throws(JSONError) in
                (reader.readShortNatural(), reader.remaining)
            }
            #expect(found.0 == number)
            let rest = (text + end).drop { $0 == " " }
            let digits = number == nil ? 0 : rest.prefix(while: \.isNumber).count
            #expect(found.1 == rest.count - digits)
        }
    }

    /// Keys of 2 to 21 bytes, each byte changed once, near the end of the text or far from it.
    @Test func skipsKeys() throws {
        for length in 0..<20 {
            let name = Array(#""\#(String(repeating: "k", count: length))""#.utf8)
            let head = name.prefix(8).reversed().reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
            let names = Array("abc".utf8) + name
            func skips(_ key: [UInt8], _ end: String) throws -> Bool {
                try JSONReader.read(Array("{".utf8) + key + Array(end.utf8)) { reader throws(JSONError) in
                    try reader.beginObject()
                    return reader.skipKey(quoted: names, from: 3, count: name.count, head: head)
                }
            }
            for end in [":", " :", ":1}", ":1234567890}"] {
                #expect(try skips(name, end))
                for place in name.indices {
                    var other = name
                    other[place] ^= 1
                    #expect(try !skips(other, end))
                }
                #expect(try !skips(Array(name.dropLast()), end))
                #expect(try !skips(Array(name.dropLast()) + Array(#"k""#.utf8), end))
            }
            #expect(try !skips(name, ""))
        }
    }

    @Test func returnsToPosition() throws {
        let seen = try JSONReader.read(Array("{\"a\":[1,2],\"b\":3}".utf8)) { reader throws(JSONError) in
            try reader.beginObject()
            _ = try reader.nextKey()
            let place = reader.position
            try reader.skipValueForLater()
            _ = try reader.nextKey()
            let last = reader.text(of: try reader.readNumber())
            reader.go(to: place)
            try reader.beginArray()
            var seen = [last]
            while try reader.nextElement() { seen.append(reader.text(of: try reader.readNumber())) }
            return seen
        }
        #expect(seen == ["3", "1", "2"])
    }

    @Test func partsEndAfterOneMoreThanTheLimit() throws {
        for (limit, count) in [(0, 1), (2, 3), (3, 3), (Int.max, 3)] {
            for text in ["[1,[2],3]", #"{"a":1,"b":[2],"c":3}"#] {
                #expect(try JSONReader.parts(of: Array(text.utf8), atMost: limit).parts.count == count)
            }
        }
        // What follows is not read.
        #expect(try JSONReader.parts(of: Array("[1,2,x".utf8), atMost: 1).parts.count == 2)
    }

    private func parseTree(_ bytes: [UInt8]) throws { _ = try JSONValue.parse(bytes) }

    private func skip(_ bytes: [UInt8]) throws {
        try JSONReader.read(bytes) { reader throws(JSONError) in
            try reader.skipValue()
            try reader.expectEnd()
        }
    }
}
