import Testing
import VectorSuite

/// A row of `Vectors/qr.json` with one changed field fails with an error that names the field.
struct QRVectorTests {
    /// The row qr-071, which libqrencode and qrcodegen computed.
    private static let row = """
        {"id": 1, "result": "valid", "text": "Y", "mode": "alphanumeric", "ec": "L", "version": 1, "mask": 0, \
        "size": 21, "capacity": 25, "matrix": ["fe5bf8", "827208", "badae8", "ba52e8", "ba2ae8", "820a08", "feabf8", \
        "00d800", "eff620", "f1e230", "e2a888", "584230", "128ab8", "009550", "fed770", "82ddd0", "bad768", "ba6230", \
        "bac888", "82c238", "fe8aa8"]}
        """

    @Test(
        arguments: [
            ("", "", nil), (", \"capacity\": 25", "", nil),
            ("\"text\": \"Y\"", "\"text\": \"X\"", .mismatch("matrix")),
            ("\"text\": \"Y\"", "\"text\": \"y\"", .refused("text")),
            ("\"text\": \"Y\", ", "", .missingField("text")),
            ("\"alphanumeric\"", "\"byte\"", .mismatch("capacity")),
            ("\"alphanumeric\"", "\"kanji\"", .malformedField("mode")),
            ("\"L\"", "\"l\"", .malformedField("ec")),
            ("\"version\": 1", "\"version\": 41", .refused("version")),
            ("\"version\": 1", "\"version\": 2", .mismatch("size")),
            ("\"version\": 1", "\"version\": 1.0", .malformedField("version")),
            ("\"mask\": 0", "\"mask\": 8", .refused("mask")),
            ("\"mask\": 0", "\"mask\": 1", .mismatch("matrix")),
            ("\"capacity\": 25", "\"capacity\": 26", .mismatch("capacity")),
            ("\"fe8aa8\"", "\"fe8aa0\"", .mismatch("matrix")), (", \"fe8aa8\"", "", .mismatch("matrix")),
            ("\"valid\"", "\"invalid\"", .accepted),
        ] as [(String, String, VectorFailure?)])
    func detectsEachChange(old: String, new: String, failure: VectorFailure?) throws {
        let row = old.isEmpty ? Self.row : Self.row.replacing(old, with: new, maxReplacements: 1)
        #expect(old.isEmpty || row != Self.row)
        let report = try VectorFile.check(VectorFileTests.file("qr", row))
        #expect(report.failures.map(\.reason) == (failure.map { [$0] } ?? []))
    }
}
