extension QRCode {
    /// The most pixels per module. The largest picture then has 11,840 pixels per side.
    package static let maximumScale = 64

    /// The code as a PNG picture of one bit per pixel, with its quiet zone.
    /// - Parameter scale: pixels per module.
    /// - Throws: `scaleOutOfRange`.
    package func png(scale: Int) throws(QRError) -> [UInt8] {
        let rows = try pixelRows(scale: scale)
        return PNGFile(side: UInt32((size + 2 * Self.quietZone) * scale), rows: rows).bytes
    }

    /// For each row of pixels, the number of its filter and its pixels.
    func pixelRows(scale: Int) throws(QRError) -> [UInt8] {
        guard (1...Self.maximumScale).contains(scale) else {
            throw .scaleOutOfRange(scale, limit: Self.maximumScale)
        }
        let modules = -Self.quietZone..<(size + Self.quietZone)
        let side = modules.count * scale
        var rows: [UInt8] = []
        for row in modules {
            // 0 is the filter "None", which each row begins with.
            var pixels: [UInt8] = [0] + [UInt8](repeating: 0, count: (side + 7) / 8)
            for pixel in 0..<side where !self[row, pixel / scale - Self.quietZone] {
                pixels[1 + pixel / 8] |= 0x80 >> UInt8(pixel % 8)
            }
            for _ in 0..<scale { rows += pixels }
        }
        return rows
    }
}
