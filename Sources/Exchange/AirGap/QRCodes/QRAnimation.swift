/// Codes of one version as an animated PNG picture that loops (APNG: PNG, third edition, 4.9 and
/// 11.3.5). A program that does not know APNG shows the first code.
package struct QRAnimation: Sendable {
    private let codes: [QRCode]

    /// - Throws: `noData` for no code, `otherVersion` for codes of different versions.
    package init(_ codes: [QRCode]) throws(QRError) {
        guard let first = codes.first else { throw .noData }
        guard let other = codes.first(where: { $0.version != first.version }) else {
            self.codes = codes
            return
        }
        throw .otherVersion(other.version, first: first.version)
    }

    /// - Parameters:
    ///   - scale: pixels per module.
    ///   - milliseconds: the time of each code.
    /// - Throws: `scaleOutOfRange`.
    package func png(scale: Int, milliseconds: UInt16) throws(QRError) -> [UInt8] {
        guard let version = codes.first?.version else { throw .noData }
        let side = UInt32(clamping: (version.size + 2 * QRCode.quietZone) * scale)
        let frames = try codes.map { code throws(QRError) in try code.pixelRows(scale: scale) }
        return PNGFile(side: side, frames: frames, milliseconds: milliseconds).bytes
    }
}
