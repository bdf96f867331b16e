import CodeSequences
import QRCodes

/// A message as a sequence of codes of one version.
struct QRSequence {
    /// Bytes in each code: version 9. Smaller fragments are complete sooner when codes are missed;
    /// at 30 % loss, twice the least number of codes is enough at any length.
    static let defaultFragment = 120
    /// The number of the last part. Then the sequence starts again. Its number has two bytes.
    private static let lastNumber = UInt32(UInt16.max)

    private let encoder: UREncoder
    let version: QRVersion

    init(_ message: UniformResource, fragment: Int?) throws(CommandError) {
        do {
            encoder = try UREncoder(message, maximumFragment: fragment ?? Self.defaultFragment)
            version = try Self.code(encoder, Self.lastNumber, .smallest ... .largest).version
        } catch { throw .qrTooLong }
    }

    /// The fewest codes that contain the message.
    var count: Int { encoder.count }

    /// The code with this number, from 1.
    func code(_ number: Int) throws(CommandError) -> QRCode {
        let part = UInt32(clamping: number - 1) % Self.lastNumber + 1
        do { return try Self.code(encoder, part, version...version) } catch { throw .qrTooLong }
    }

    private static func code(
        _ encoder: UREncoder, _ number: UInt32, _ versions: ClosedRange<QRVersion>
    ) throws(QRError) -> QRCode {
        try QRCode(Array(encoder.text(number).uppercased().utf8), versions: versions)
    }
}
