import Codecs
import SecureMemory

enum BytesCases {
    static let all = [
        Case("bytes: comparison") {
            let left = try secret("0123456789abcdef0123456789abcdef")
            let right = try secret("0123456789abcdef0123456789abcdef")
            try expect(left.isEqual(to: right), "equal bytes differ")
            try expect(
                !left.isEqual(to: try secret("0123456789abcdef0123456789abcdeg")), "different bytes are equal"
            )
            try expectSecret(left, "the compared bytes")
        },
        Case("bytes: line ending") {
            for ending in ["", "\n", "\r\n"] {
                var text = try secret("a secret" + ending)
                text.dropFinalLineEnding()
                try expect(text.count == 8, "the line ending was not removed")
                try expectSecret(text, "the line")
            }
        },
        Case("bytes: lines and words") {
            let text = try secret("first second\nthird")
            let (feed, space, none) = text.withBytes { span in
                let all = 0..<span.byteCount
                return (
                    span.firstOffset(ofSeparator: 10, in: all), span.firstOffset(ofSeparator: 32, in: all),
                    span.firstOffset(ofSeparator: 9, in: all)
                )
            }
            try expect(feed == 12 && space == 5 && none == nil, "a separator is in another place")
            try expectSecret(text, "the text")
        },
        Case("bytes: prefix") {
            let text = try secret("PVT_K1_2bfGi9rYsXQSXXTvJbDAPhHLQUojjaNLomdm3cEJ1XTzMqUt3V")
            let (right, wrong) = text.withBytes { ($0.starts(with: "PVT_K1_"), $0.starts(with: "PVT_R1_")) }
            try expect(right && !wrong, "the prefix is wrong")
        },
    ]
}

enum CodecCases {
    static let all = [
        Case("base58: decode") {
            for text in [
                "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3",
                "11111111111111111111111111111111111115",
            ] {
                let text = try secret(text)
                var bytes = try SecureBytes(count: text.count == 51 ? 37 : 38)
                let given = text.count
                do throws(CodecError) {
                    try text.withBytes { text throws(CodecError) in
                        try bytes.withMutableBytes { bytes throws(CodecError) in
                            try Base58.decode(text, into: &bytes)
                        }
                    }
                } catch { throw Unexpected(description: "\(given) characters: \(error)") }
                // Leading ones always decode to zero bytes, so only the last byte must be secret.
                try expect(
                    bytes.withBytes { $0.extracting(($0.byteCount - 1)..<$0.byteCount).secretCount() } == 1,
                    "the output is not secret")
            }
        },
        Case("base58: encode") {
            for start in [[0, 0, 0], [1, 2, 3], [255, 255, 255]] as [[UInt8]] {
                let bytes = try SecureBytes(copyingPublic: start + [UInt8](repeating: 0x5a, count: 33))
                bytes.classify()
                var text = try SecureBytes(count: Base58.maximumTextCount(for: 36))
                let count = bytes.withBytes { bytes in
                    text.withMutableBytes { text in Base58.encode(bytes, into: &text) }
                }
                try expectSecret(text, "the text")
                let all = text.disclosedText()
                let expected = Base58.encode(start + [UInt8](repeating: 0x5a, count: 33))
                try expect(String(all.suffix(count)) == expected, "the text is \(all.suffix(count))")
            }
        },
        Case("base58: refusals") {
            for (text, expected) in [
                (
                    "5KQwrPbwdL6PhXuj0W37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3",
                    CodecError.invalidBase58Character(offset: 16)
                ),
                ("5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDey", .wrongBase58Length(expected: 37)),
                ("zzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzzz", .wrongBase58Length(expected: 37)),
            ] {
                let typed = try secret(text)
                var bytes = try SecureBytes(count: 37)
                var refusal: CodecError?
                do throws(CodecError) {
                    try typed.withBytes { text throws(CodecError) in
                        try bytes.withMutableBytes { bytes throws(CodecError) in
                            try Base58.decode(text, into: &bytes)
                        }
                    }
                } catch { refusal = error }
                try expect(refusal == expected, "\(text) is refused with \(String(describing: refusal))")
            }
        },
        Case("hex: decode") {
            let text = Array("00ff10EFabcdefABCDEF0123456789".utf8)
            unsafe classify(text.span.bytes)
            let bytes = try Hex.decode(utf8: text)
            try expect(unsafe bytes.span.bytes.secretCount() == 15, "the output is not secret")
            try expect(disclosed(bytes)[..<4] == [0, 0xff, 0x10, 0xef], "the bytes differ")
        },
        Case("hex: encode") {
            let bytes: [UInt8] = [0, 0xff, 0x10, 0x9a]
            unsafe classify(bytes.span.bytes)
            var text: [UInt8] = []
            Hex.append(bytes.span, to: &text)
            try expect(unsafe text.span.bytes.secretCount() == 8, "the output is not secret")
            try expect(disclosed(text) == Array("00ff109a".utf8), "the text differs")
        },
        Case("hex: refusals") {
            for (text, expected) in [
                ("00fg", CodecError.invalidHexDigit(offset: 3)), ("00f", .oddHexLength(count: 3)),
            ] {
                let text = Array(text.utf8)
                unsafe classify(text.span.bytes)
                var refusal: CodecError?
                do throws(CodecError) { _ = try Hex.decode(utf8: text) } catch { refusal = error }
                try expect(refusal == expected, "refused with \(String(describing: refusal))")
            }
        },
    ]
}
