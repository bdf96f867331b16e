import AirGap
import Shell

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

    /// The most bytes in each code of at most this version; nil if no allowed number fits.
    static func largestFragment(_ message: UniformResource, upTo largest: QRVersion) -> Int? {
        // A longer fragment never needs a smaller version.
        var (low, high) = (QROptions.fragments.lowerBound, QROptions.fragments.upperBound)
        func fits(_ fragment: Int) -> Bool {
            (try? QRSequence(message, fragment: fragment)).map { $0.version <= largest } ?? false
        }
        guard fits(low) else { return nil }
        while low < high {
            let middle = (low + high + 1) / 2
            if fits(middle) { low = middle } else { high = middle - 1 }
        }
        return low
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
