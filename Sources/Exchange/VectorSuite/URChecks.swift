import AirGap
import Codecs
import JSON

/// Checks Uniform Resources. The field `kind` of a test selects what it is about. A test with
/// `optional` is valid for other implementations, and may be refused.
enum URChecks {
    static func check(_ test: VectorTest) throws(VectorFailure) {
        guard test.isTrue("optional") else { return try checkRequired(test) }
        do { try checkRequired(test) } catch .refused { return } catch .mismatch { return }
    }

    private static func checkRequired(_ test: VectorTest) throws(VectorFailure) {
        switch try test.text("kind") {
        case "bytewords": try bytewords(test)
        case "crc32": try crc32(test)
        case "single": try single(test)
        case "one-fragment": try oneFragment(test)
        case "multipart", "multipart-sparse": try multipart(test)
        case "part": try part(test)
        case "decode": try decode(test)
        default: try FountainChecks.check(test)
        }
    }

    // MARK: - texts

    private static func bytewords(_ test: VectorTest) throws(VectorFailure) {
        let encodings: [String: Bytewords] = ["standard": .standard, "uri": .uri, "minimal": .minimal]
        let encoding = try test.expect(encodings[test.text("encoding")], "encoding")
        let (text, direction) = (try test.text("text"), try test.text("direction"))
        if direction != "encode" {
            let bytes = try test.attempt("text") { try encoding.decode(text.utf8) }
            guard test.isValid else { return }
            try test.expect("data", bytes == test.hex("data"))
        }
        if direction != "decode" { try test.expect("text", encoding.encode(try test.hex("data")) == text) }
    }

    private static func crc32(_ test: VectorTest) throws(VectorFailure) {
        try test.expect("crc32", try checksum(test, "crc32") == CRC32.of(test.hex("data")))
    }

    private static func single(_ test: VectorTest) throws(VectorFailure) {
        let text = try test.text("ur")
        let read = try test.attempt("ur") { try UniformResource(text.utf8) }
        guard test.isValid else { return }
        try test.expect("type", is: read.type.name)
        try test.expect("cbor", try message(test) == read.cbor)
        if try test.text("direction") == "both" { try test.expect("ur", read.text == text) }
    }

    // MARK: - parts

    private static func oneFragment(_ test: VectorTest) throws(VectorFailure) {
        let encoder = try encoder(test, minimum: UREncoder.minimumFragment)
        try test.expect("seq_len", is: encoder.count)
        try test.expect("ur", is: encoder.text(1))
    }

    private static func multipart(_ test: VectorTest) throws(VectorFailure) {
        let encoder = try encoder(test, minimum: test.number("min_fragment_length"))
        try test.expect("fragment_length", is: encoder.fragmentLength)
        try test.expect("seq_len", is: encoder.count)
        try test.expect("checksum", try checksum(test, "checksum") == encoder.resource.checksum)
        for part in try test.list("parts") {
            let text = try test.expect(part["text"]?.string, "parts")
            let number = try test.expect(part["seq_num"]?.number.flatMap { UInt32($0) }, "parts")
            try test.expect("parts", encoder.part(number).text == text)
            let read = try test.attempt("parts") { try URText(text.utf8) }
            try test.expect("parts", read == .part(encoder.part(number)))
        }
    }

    private static func encoder(_ test: VectorTest, minimum: Int) throws(VectorFailure) -> UREncoder {
        let (name, cbor) = (try test.text("type"), try message(test))
        try test.expect("message_length", is: cbor.count)
        let maximum = try test.number("max_fragment_length")
        return try test.attempt("message") {
            try UREncoder(
                UniformResource(type: URType(name.utf8), cbor: cbor), maximumFragment: maximum,
                minimumFragment: minimum
            )
        }
    }

    private static func part(_ test: VectorTest) throws(VectorFailure) {
        let text = try test.text("text")
        if test.isValid {
            let numbers = [
                try test.number("seq_num"), try test.number("seq_len"), try test.number("message_length"),
            ].map { UInt32(clamping: $0) }
            let (checksum, data) = (try checksum(test, "checksum"), try test.hex("data"))
            let cbor = URPart.cbor(numbers[0], numbers[1], numbers[2], checksum, data)
            try test.expect("part_cbor", hex: cbor)
            // The text of a published part has lengths that contradict each other.
            if test.isTrue("optional_text") { return }
        }
        let read = try test.attempt("text") { try URText(text.utf8) }
        guard case .part(let part) = read else { throw .refused("text") }
        guard test.isValid else { return }
        try test.expect("text", part.text == text)
        try test.expect("data", hex: part.data)
    }

    /// Gives the texts to one fresh decoder, in their order.
    private static func decode(_ test: VectorTest) throws(VectorFailure) {
        let expected = try test.text("expected")
        let refused = Set(try test.numbers("refused"))
        let earliest =
            try test.isValid && test.optional("parts_enough_linear") != nil
            ? test.number("parts_enough_linear") : 0
        var decoder: URAssembly?
        for (index, text) in try test.texts("parts").enumerated() {
            let result = Result { () throws(CodeSequenceError) in try add(text, to: &decoder) }
            switch result {
            case .success(let message?):
                try test.expect("expected", expected == Hex.encode(message.cbor))
                try test.expect("type", is: message.type.name)
                try test.expect("parts_enough_linear", index + 1 >= earliest)
                return
            case .success(nil): try test.expect("refused", !refused.contains(index))
            case .failure(.resource(.damagedMessage)): throw .refused("message")
            case .failure: if !refused.contains(index) { throw .refused("parts") }
            }
        }
        throw .refused("incomplete")
    }

    private static func add(
        _ text: String, to decoder: inout URAssembly?
    ) throws(CodeSequenceError) -> UniformResource? {
        guard case .part(let part) = try URText(text.utf8) else { throw .resource(.notUR) }
        guard decoder == nil else { return try decoder?.adding(part) }
        decoder = URAssembly(part)
        return try decoder?.message()
    }

    // MARK: - values

    private static func checksum(_ test: VectorTest, _ field: String) throws(VectorFailure) -> UInt32 {
        try test.expect(UInt32(test.text(field), radix: 16), field)
    }

    /// The CBOR of the message: `cbor`, or the byte string of the generated bytes.
    private static func message(_ test: VectorTest) throws(VectorFailure) -> [UInt8] {
        guard test.optional("cbor")?.string == nil else { return try test.hex("cbor") }
        var writer = CBORWriter()
        writer.byteString(try GeneratedBytes.read(test))
        return writer.bytes
    }
}
