import Testing
import VectorSuite

/// A row of `Vectors/ur.json` with one changed field fails with an error that names the field.
struct URVectorTests {
    /// The row decode-074, of foundation-ur-py.
    private static let decode = """
        {"id": 1, "result": "valid", "kind": "decode", "type": "bytes", "refused": [], "parts_enough_linear": 2, \
        "parts": ["ur:bytes/2-2/lpaoaocscxcytorllevagdoysbltytbthnpmiopmpelagufdrhwpldjnktntdp", \
        "ur:bytes/1-2/lpadaocscxcytorllevagdhdckguhthldwlrwzttpfchtevlfxiowdatdtftbg"], \
        "expected": "581e535a5d2c84f2d1b017d3e34367eaa1cb87f90d60ad67adaf805348b9ec89"}
        """

    /// The row fragments-001, of URKit.
    private static let fragments = """
        {"id": 1, "result": "valid", "kind": "fragments", "seq_num": 12, "seq_len": 11, "checksum": "2f19f3bb", \
        "degree": 1, "indexes": [9]}
        """

    @Test(
        arguments: [
            ("", "", nil), ("bytes/2-2", "bytes/1-2", .refused("parts")),
            ("\"581e", "\"581f", .mismatch("expected")),
            ("\"type\": \"bytes\"", "\"type\": \"byte\"", .mismatch("type")),
            ("linear\": 2", "linear\": 3", .mismatch("parts_enough_linear")),
            ("[]", "[0]", .mismatch("refused")), ("[]", "[\"0\"]", .malformedField("refused")),
            ("\"valid\"", "\"invalid\"", .accepted),
            ("bytes/2-2/lpao", "bytes/2-2/lpad", .refused("parts")),
            (
                ", \"ur:bytes/1-2/lpadaocscxcytorllevagdhdckguhthldwlrwzttpfchtevlfxiowdatdtftbg\"", "",
                .refused("incomplete")
            ),
        ] as [(String, String, VectorFailure?)])
    func decode(old: String, new: String, failure: VectorFailure?) throws {
        try Self.check("ur", Self.decode, old, new, failure)
    }

    @Test(
        arguments: [
            ("", "", nil), ("[9]", "[8]", .mismatch("indexes")),
            ("\"degree\": 1", "\"degree\": 2", .mismatch("degree")),
            ("12", "0", .malformedField("seq_num")), ("11", "0", .malformedField("seq_len")),
            ("2f19f3bb", "2f19f3bx", .malformedField("checksum")),
            ("2f19f3bb", "2f19f3bc", .mismatch("degree")),
        ] as [(String, String, VectorFailure?)])
    func fragments(old: String, new: String, failure: VectorFailure?) throws {
        try Self.check("ur", Self.fragments, old, new, failure)
    }

    private static let bytewords = """
        {"id": 1, "result": "valid", "kind": "bytewords", "encoding": "standard", "direction": "both", \
        "data": "00010280ff", "text": "able acid also lava zoom jade need echo taxi"}
        """

    @Test(
        arguments: [
            ("", "", nil), ("\"bytewords\"", "\"words\"", .malformedField("kind")),
            ("\"kind\": \"bytewords\", ", "", .missingField("kind")),
            ("\"standard\"", "\"minimal\"", .refused("text")),
            ("\"00010280ff\"", "\"00010280fe\"", .mismatch("data")),
            ("\"able", "\"acid", .refused("text")), ("\"valid\"", "\"invalid\"", .accepted),
            ("\"standard\"", "\"long\"", .malformedField("encoding")),
        ] as [(String, String, VectorFailure?)])
    func bytewords(old: String, new: String, failure: VectorFailure?) throws {
        try Self.check("ur", Self.bytewords, old, new, failure)
    }

    private static func check(
        _ kind: String, _ row: String, _ old: String, _ new: String, _ failure: VectorFailure?
    ) throws {
        let changed = old.isEmpty ? row : row.replacing(old, with: new, maxReplacements: 1)
        #expect(old.isEmpty || changed != row)
        let report = try VectorFile.check(VectorFileTests.file(kind, changed))
        #expect(report.failures.map(\.reason) == (failure.map { [$0] } ?? []))
    }
}
