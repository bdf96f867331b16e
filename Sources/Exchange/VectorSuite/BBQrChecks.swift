import AirGap
import Codecs
import JSON

/// Checks BBQr messages: the parts of a message, and the message of parts.
enum BBQrChecks {
    static func check(_ test: VectorTest) throws(VectorFailure) {
        let texts = try test.texts("parts")
        let (header, message) = try test.attempt("parts") { try join(texts) }
        guard test.isValid else { return }
        let data = test.optional("data")?.string == nil ? try GeneratedBytes.read(test) : try test.hex("data")
        try test.expect("data", data == message)
        let fileType = try test.text("file_type")
        try test.expect("file_type", fileType.utf8.elementsEqual([header.fileType]))
        try test.expect("encoding", try test.text("encoding").utf8.elementsEqual([header.encoding.rawValue]))
        guard try test.text("direction") == "both" else { return }

        let (lowest, highest) = (try test.number("min_version"), try test.number("max_version"))
        let fewest = try test.number("min_split")
        let split = try test.attempt("data") {
            // A largest version below the smallest one replaces it.
            let versions = try QRVersion(min(lowest, highest))...QRVersion(highest)
            return try BBQrEncoder.parts(
                data, fileType: header.fileType, encoding: header.encoding, versions: versions, fewest: fewest)
        }
        try test.expect("version", try test.number("version") == split.version.number)
        try test.expect("parts", texts == split.parts.map(\.text))
    }

    private static func join(_ texts: [String]) throws -> (BBQrPart.Header, [UInt8]) {
        guard let first = texts.first else { throw VectorFailure.refused("parts") }
        var assembly = BBQrAssembly(try BBQrPart(first.utf8))
        for text in texts.dropFirst() { try assembly.add(BBQrPart(text.utf8)) }
        guard let message = try assembly.message() else { throw VectorFailure.refused("parts") }
        return (assembly.header, message)
    }
}
