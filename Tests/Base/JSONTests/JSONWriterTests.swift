import Testing

@testable import JSON

@Suite struct JSONWriterTests {
    @Test func printsAsCleosDoes() throws {
        let value = try JSONValue.parse(Array(#"{"a":1,"b":[],"c":{},"d":[{"e":"x"},[1,2]],"f":null}"#.utf8))
        #expect(
            value.text(.pretty) == """
                {
                  "a": 1,
                  "b": [],
                  "c": {},
                  "d": [
                    {
                      "e": "x"
                    },
                    [
                      1,
                      2
                    ]
                  ],
                  "f": null
                }
                """)
        #expect(value.text() == #"{"a":1,"b":[],"c":{},"d":[{"e":"x"},[1,2]],"f":null}"#)
    }

    @Test func escapesRequiredCharacters() {
        var writer = JSONWriter()
        writer.write(string: "\"\\/\u{8}\u{c}\n\r\t\0\u{1f}\u{7f}é漢😀")
        #expect(
            String(decoding: writer.bytes, as: UTF8.self)
                == #""\"\\/\u0008\u000c\n\r\t\u0000\u001f\u007fé漢😀""#)
    }

    /// Every escape at every position of an eight-byte word.
    @Test func stringsReadBack() throws {
        for length in 0..<9 {
            for scalar in (0..<0x180).compactMap(Unicode.Scalar.init) {
                let text =
                    String(repeating: "a", count: length) + String(scalar)
                    + String(repeating: "b", count: 9 - length)
                var writer = JSONWriter()
                writer.write(string: text)
                guard try JSONValue.parse(writer.bytes).string?.utf8.elementsEqual(text.utf8) == true else {
                    Issue.record("\(scalar.value) after \(length)")
                    continue
                }
            }
        }
    }

    @Test(arguments: [[0x61, 0xff], [0xed, 0xa0, 0x80], [0xc3], [0xf0, 0x9f, 0x98]] as [[UInt8]])
    func refusesInvalidUTF8(_ bytes: [UInt8]) {
        var writer = JSONWriter()
        let isText = writer.write(utf8: bytes.span)
        #expect(!isText)
    }

    @Test func lookups() throws {
        let value = try JSONValue.parse(Array(#"{"t":true,"n":12.50,"s":"x","a":[null]}"#.utf8))
        #expect(value["t"]?.text() == "true")
        #expect(value["n"]?.number == "12.50")
        #expect(value["s"]?.string == "x")
        #expect(value["a"]?.array?.first?.isNull == true)
        #expect(value["x"] == nil)
        #expect(value.object?.map(\.key) == ["t", "n", "s", "a"])
        #expect(value["s"]?["x"] == nil)
    }
}
