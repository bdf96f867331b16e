/// Divides bytes into segments with the fewest bits.
enum QRSegmentation {
    /// The best division of the bytes up to one of them that ends in this mode.
    private struct Path {
        let mode: QRMode
        /// In sixths of a bit.
        let cost: Int

        /// The cost if the next byte is in this mode. A segment has a header and ends with a whole
        /// bit.
        func cost(before next: QRMode, _ version: QRVersion) -> Int {
            next == mode ? cost : (cost + 5) / 6 * 6 + next.headerBits(version) * 6
        }
    }

    /// The segments with the fewest bits, in versions whose counts have as many bits as in this
    /// one.
    ///
    /// Dynamic programming: for each byte, the best path that ends in each mode. The time is
    /// proportional to the number of bytes.
    static func segments(_ bytes: [UInt8], _ version: QRVersion) throws(QRError) -> [QRSegment] {
        var starts = QRMode.allCases.map { Path(mode: $0, cost: $0.headerBits(version) * 6) }
        var steps: [[Path]] = []
        for byte in bytes {
            // Byte mode has every byte, so a step is never empty.
            let ends = starts.filter { $0.mode.value(byte) != nil }.map {
                Path(mode: $0.mode, cost: $0.cost + $0.mode.sixths)
            }
            steps.append(ends)
            starts = QRMode.allCases.compactMap { next in
                ends.lazy.map { $0.cost(before: next, version) }.min().map { Path(mode: next, cost: $0) }
            }
        }
        return try segments(bytes, modes: modes(steps, version))
    }

    /// The mode of each byte, found from the last to the first.
    private static func modes(_ steps: [[Path]], _ version: QRVersion) -> [QRMode] {
        var modes: [QRMode] = []
        for ends in steps.reversed() {
            let best = ends.min { left, right in
                guard let next = modes.last else { return left.cost < right.cost }
                return left.cost(before: next, version) < right.cost(before: next, version)
            }
            modes.append(best?.mode ?? .byte)
        }
        return modes.reversed()
    }

    /// Joins neighbours of the same mode.
    private static func segments(_ bytes: [UInt8], modes: [QRMode]) throws(QRError) -> [QRSegment] {
        var segments: [QRSegment] = []
        var start = 0
        for end in bytes.indices where end + 1 == bytes.count || modes[end + 1] != modes[start] {
            segments.append(try QRSegment(modes[start], Array(bytes[start...end])))
            start = end + 1
        }
        return segments
    }
}
