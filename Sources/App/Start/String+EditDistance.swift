import Shell

extension String {
    /// The number of insertions, deletions, replacements and swaps of neighbours that turn this
    /// text into another one (optimal string alignment).
    func editDistance(to other: String) -> Int {
        let (left, right) = (Array(self.utf8), Array(other.utf8))
        var (before, last) = ([Int](), Array(0...right.count))
        for (row, byte) in left.enumerated() {
            var next = [row + 1]
            for (column, otherByte) in right.enumerated() {
                var cost = Swift.min(
                    last[column + 1] + 1, next[column] + 1, last[column] + (byte == otherByte ? 0 : 1))
                if row > 0, column > 0, byte == right[column - 1], left[row - 1] == otherByte {
                    cost = Swift.min(cost, before[column - 1] + 1)
                }
                next.append(cost)
            }
            (before, last) = (last, next)
        }
        return last[right.count]
    }

    /// The name that was probably meant: it has at most two differences, and at most one for each
    /// two characters. Nil for none.
    func nearest(among names: [String]) -> String? {
        guard utf8.count <= 40 else { return nil }
        let candidates = names.map { (name: $0, distance: editDistance(to: $0)) }
        return candidates.filter { $0.distance <= min(2, utf8.count / 2) }.min { $0.distance < $1.distance }?
            .name
    }
}
