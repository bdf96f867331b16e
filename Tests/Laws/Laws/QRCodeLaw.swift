import AirGap

/// A QR code reads back as the bytes that were encoded. Bytes that no version holds are refused.
///
/// The first byte of an input selects the level.
public enum QRCodeLaw: Law {
    public static let name = "QRCode"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let texts = vectors.texts("qr", "text").filter { $0.utf8.count < 700 }.map { Array($0.utf8) }
        let mixed = [
            "ESR:A1b2c3", "012345678901234567890abc", "UR:CRYPTO-PSBT/1-3/lower",
            "\u{e9}\u{20ac}0000000000000",
        ]
        return (texts + mixed.map { Array($0.utf8) } + [[0], [0xff, 0x80]]).enumerated().map { index, text in
            [UInt8(index % 4)] + text
        }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let first = input.first else { return }
        let bytes = Array(input.dropFirst())
        let level = QRLevel.allCases[Int(first) % 4]
        let code: QRCode
        do { code = try QRCode(bytes, level: level) } catch {
            switch error {
            case .noData: try law(bytes.isEmpty, "only no data is refused as none")
            case .tooManyBytes(let count, let limit):
                try law(count == bytes.count && count > limit, "\(count) bytes are over the limit")
            case .tooLong(let bits, let limit, let version, _):
                try law(
                    version == .largest && bits > limit && bits <= bytes.count * 8 + 20,
                    "\(bits) bits are too many")
            case .notInMode, .versionOutOfRange, .maskOutOfRange, .scaleOutOfRange, .otherVersion:
                throw LawBroken(description: "bytes are refused with \(error)")
            }
            return
        }
        let read = try must("the code is read") { try QRReader(code).bytes }
        try law(read == bytes, "the bytes read equal the encoded ones")
        try law(
            code.level == level || QRLevel.allCases.firstIndex(of: code.level) ?? 0 > Int(first) % 4,
            "the level")
    }
}
