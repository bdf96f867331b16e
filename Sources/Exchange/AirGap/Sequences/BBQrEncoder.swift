import Codecs

/// Divides data into the parts of a BBQr message, as few as the allowed versions permit.
package enum BBQrEncoder {
    /// The parts, and the smallest version that holds each of them at level L.
    /// - Parameters:
    ///   - encoding: nil compresses the data if that makes it shorter. Data that does not become
    ///     shorter is not compressed.
    ///   - fewest: the least number of parts.
    /// - Throws: `emptyMessage`, `messageTooLong`, `invalidFileType`, `doesNotFit`.
    package static func parts(
        _ data: [UInt8], fileType: UInt8, encoding: BBQrEncoding? = nil, versions: ClosedRange<QRVersion>,
        fewest: Int = 1
    ) throws(CodeSequenceError) -> (version: QRVersion, parts: [BBQrPart]) {
        guard !data.isEmpty else { throw .bbqr(.emptyMessage) }
        guard data.count <= BBQrAssembly.maximumLength else {
            throw .bbqr(.messageTooLong(limit: BBQrAssembly.maximumLength))
        }
        let (encoding, bytes) = compressed(data, encoding)
        let characters = encoding.encode(bytes)
        var best: (version: QRVersion, count: Int, length: Int)?
        for version in QRVersion.all where versions.contains(version) {
            guard let fit = fit(characters.count, version, encoding.characterGroup) else { continue }
            guard (fewest...BBQrPart.maximumCount).contains(fit.count) else { continue }
            if fit.count < best?.count ?? .max { best = (version, fit.count, fit.length) }
        }
        guard let best else { throw .bbqr(.doesNotFit) }
        let header = try BBQrPart.Header(encoding: encoding, fileType: fileType, count: best.count)
        let parts = (0..<best.count).map { index in
            let start = index * best.length
            let end = min(start + best.length, characters.count)
            return BBQrPart(header: header, index: index, body: Array(characters[start..<end]))
        }
        return (best.version, parts)
    }

    private static func compressed(_ data: [UInt8], _ encoding: BBQrEncoding?) -> (BBQrEncoding, [UInt8]) {
        switch encoding {
        case .hex, .base32: return (encoding ?? .base32, data)
        case nil, .compressed:
            let compressed = Deflate.compress(data, .rawSmallWindow)
            return compressed.count < data.count ? (.compressed, compressed) : (.base32, data)
        }
    }

    /// How many parts so many characters need, and the characters of each but the last one.
    private static func fit(_ count: Int, _ version: QRVersion, _ group: Int) -> (count: Int, length: Int)? {
        let capacity = version.capacity(.alphanumeric, .low) - BBQrPart.headerCount
        let length = capacity - capacity % group
        guard length > 0 else { return nil }
        guard count > length else { return (1, count) }
        return ((count + length - 1) / length, length)
    }
}
