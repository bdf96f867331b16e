import AirGap
import JSON

/// Checks QR codes: the matrix of one segment in a given version, level and mask.
enum QRChecks {
    static func check(_ test: VectorTest) throws(VectorFailure) {
        let text = Array(try test.text("text").utf8)
        guard let mode = QRMode(rawValue: try test.text("mode")) else { throw .malformedField("mode") }
        guard let level = QRLevel(rawValue: try test.text("ec")) else { throw .malformedField("ec") }
        let (versionNumber, maskNumber) = (try test.number("version"), try test.number("mask"))
        let version = try test.attempt("version") { try QRVersion(versionNumber) }
        let mask = try test.attempt("mask") { try QRMask(maskNumber) }
        let code = try test.attempt("text") {
            try QRCode(QRSegment(mode, text), version: version, level: level, mask: mask)
        }
        try test.expect("size", is: code.size)
        if test.optional("capacity") != nil {
            try test.expect("capacity", is: version.capacity(mode, level))
        }
        let matrix = try test.list("matrix").map(\.string)
        try test.expect("matrix", matrix == (0..<code.size).map { hex(code, row: $0) })
    }

    /// The leftmost module is the most significant bit. Zero bits fill the last digit.
    private static func hex(_ code: QRCode, row: Int) -> String {
        stride(from: 0, to: code.size, by: 4).map { start in
            let digit = (start..<(start + 4)).reduce(0) { $0 << 1 | (code[row, $1] ? 1 : 0) }
            return String(digit, radix: 16)
        }.joined()
    }
}
