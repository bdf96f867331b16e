import AirGap
import JSON

/// A part of BBQr is refused, or prints back to itself. The lines of an input join to a message of
/// bounded length, or are refused. The input itself reads back from its parts.
public enum BBQrLaw: Law {
    public static let name = "BBQr"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        vectors.tests("bbqr").compactMap { row in
            let lines = (row["parts"]?.array ?? []).compactMap { $0.string }.joined(separator: "\n")
            return lines.utf8.count < 3500 ? Array(lines.utf8) : nil
        }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        var assembly: BBQrAssembly?
        for line in input.split(separator: UInt8(ascii: "\n")) {
            let part: BBQrPart
            do { part = try BBQrPart(line) } catch { continue }
            try law(part.text == text(line), "the part prints back")
            if assembly == nil { assembly = BBQrAssembly(part) }
            do { try assembly?.add(part) } catch { continue }
        }
        do {
            let count = try assembly?.message()?.count ?? 0
            try law(count <= BBQrAssembly.maximumLength, "\(count) bytes are over the limit")
        } catch let broken as LawBroken { throw broken } catch {}
        try checkRoundTrip(input)
    }

    private static func checkRoundTrip(_ bytes: [UInt8]) throws(LawBroken) {
        guard let first = bytes.first else { return }
        let encoding: BBQrEncoding? = [.hex, .base32, .compressed, nil][Int(first) % 4]
        let parts = try must("the bytes are encoded") {
            try BBQrEncoder.parts(bytes, fileType: 0x42, encoding: encoding, versions: .smallest ... .largest).parts
        }
        let read = try must("the parts are joined") {
            var assembly = BBQrAssembly(parts[0])
            for part in parts.reversed() { try assembly.add(BBQrPart(part.text.utf8)) }
            return try assembly.message()
        }
        try law(read == bytes, "the message is equal")
    }
}
