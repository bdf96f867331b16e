import JSON

/// Accepted JSON text is printed as text with the same value. Reader and tree refuse the same
/// texts.
public enum JSONLaw: Law {
    public static let name = "JSON"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let texts =
            vectors.texts("abi", "json") + vectors.tests("transactions").prefix(8).map { $0.text(.pretty) }
        let written = [
            "[1e+9,-0.0E-1,\"\\ud83d\\ude00\\u0000\\/\\b\\f\\n\\r\\t\\\\\"]",
            " \t\r\n{ \"a\" : { } , \"b\" : [ ] } ",
            "\u{feff}1",
        ]
        return (texts + written + [vectors["abi", "abi"].text()]).map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        try checkReaders(input)
        try checkStrings(input)
        guard let tree = try? JSONValue.parse(input) else { return }
        let compact = Array(tree.text().utf8)
        try law(compact.count <= 6 * input.count, "an escape has at most six characters")
        for text in [compact, Array(tree.text(.pretty).utf8)] {
            let again = try must("printed text is accepted") { try JSONValue.parse(text) }
            try law(same(tree, again), "printed text is the same value")
            try law(Array(again.text().utf8) == compact, "printing twice gives the same text")
        }
    }

    /// All readers accept the same texts, and report the same offset.
    private static func checkReaders(_ input: [UInt8]) throws(LawBroken) {
        let refusal = refused { () throws(JSONError) in _ = try JSONValue.parse(input) }
        let skipping = refused(of: input) { reader throws(JSONError) in try reader.skipValue() }
        let later = refused(of: input) { reader throws(JSONError) in try reader.skipValueForLater() }
        try law(
            refusal == skipping,
            "skipping and parsing agree: \(String(describing: skipping)) and \(String(describing: refusal))")
        if refusal?.reason == .duplicateKey {
            // An error after the second key may be reported first.
            try law(
                later.map { $0.offset > (refusal?.offset ?? 0) } ?? true,
                "only duplicate keys are left for later")
        } else {
            try law(refusal == later, "skipping for later and parsing agree: \(String(describing: later))")
        }
        if let refusal {
            try law(
                refusal.offset >= 0 && refusal.offset <= input.count,
                "the offset \(refusal.offset) is in the text")
            try law(refusal.line >= 1 && refusal.column >= 1, "lines and columns are counted from 1")
            try law(refusal.line + refusal.column <= input.count + 2, "no more lines and columns than bytes")
        }
        let deeper = JSONLimits(depth: JSONLimits.greatestDepth)
        let deep = refused { () throws(JSONError) in _ = try JSONValue.parse(input, limits: deeper) }
        if case .tooDeep = refusal?.reason { return }
        try law(deep == refusal, "a limit that is not reached changes nothing")
    }

    private static func refused(_ step: () throws(JSONError) -> Void) -> JSONError? {
        do {
            try step()
            return nil
        } catch { return error }
    }

    private static func refused(of text: [UInt8], _ step: (inout JSONReader) throws(JSONError) -> Void)
        -> JSONError?
    {
        refused { () throws(JSONError) in
            try JSONReader.read(text) { reader throws(JSONError) in
                try step(&reader)
                try reader.expectEnd()
            }
        }
    }

    /// Bytes are written as a string if they are UTF-8, and the string is read as the same bytes.
    private static func checkStrings(_ input: [UInt8]) throws(LawBroken) {
        let valid = String(validating: input, as: UTF8.self)
        var writer = JSONWriter()
        try law(
            writer.write(utf8: input.span) == (valid != nil), "the writer and Swift agree on what is UTF-8")
        guard let valid else { return }
        try law(writer.count <= 6 * input.count + 2, "an escape has at most six characters")
        let read = try must("a written string is accepted") { try JSONValue.parse(writer.bytes) }
        try law(read.string.map { Array($0.utf8) } == input, "a string is read as it was written")
        try law(
            Array(JSONValue.string(valid).text().utf8) == writer.bytes, "both functions write the same string"
        )
    }

    /// Compares strings by their bytes, because Swift treats some strings with different bytes as
    /// equal.
    static func same(_ one: JSONValue, _ other: JSONValue) -> Bool {
        switch (one, other) {
        case (.null, .null): true
        case (.boolean(let one), .boolean(let other)): one == other
        case (.number(let one), .number(let other)), (.string(let one), .string(let other)):
            one.utf8.elementsEqual(other.utf8)
        case (.array(let one), .array(let other)):
            one.count == other.count && zip(one, other).allSatisfy(same)
        case (.object(let one), .object(let other)):
            one.count == other.count
                && zip(one, other).allSatisfy {
                    $0.key.utf8.elementsEqual($1.key.utf8) && same($0.value, $1.value)
                }
        default: false
        }
    }
}
