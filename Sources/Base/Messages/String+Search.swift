// Searches by bytes, for short texts to search for. The standard library's functions are in its
// module of regular expressions, which adds a megabyte to a program.

extension Collection<UInt8> {
    /// The first occurrence of `sought`; nil if there is none, or if `sought` is empty.
    package func firstRange(of sought: some Collection<UInt8>) -> Range<Index>? {
        guard let first = sought.first else { return nil }
        var start = startIndex
        while let place = self[start...].firstIndex(of: first),
            let end = index(place, offsetBy: sought.count, limitedBy: endIndex)
        {
            if self[place..<end].elementsEqual(sought) { return place..<end }
            start = index(after: place)
        }
        return nil
    }
}

extension String {
    /// The first occurrence of a text; nil if there is none, or if the text is empty.
    package func firstRange(of text: String) -> Range<Index>? { utf8.firstRange(of: text.utf8) }

    /// True for an empty text too.
    package func contains(_ text: String) -> Bool { text.isEmpty || firstRange(of: text) != nil }

    /// The parts between the occurrences of a text, empty parts too.
    package func parts(separatedBy text: String) -> [String] {
        var parts: [String] = []
        var start = startIndex
        while let range = utf8[start...].firstRange(of: text.utf8) {
            parts.append(String(self[start..<range.lowerBound]))
            start = range.upperBound
        }
        return parts + [String(self[start...])]
    }

    package func replacing(_ text: String, with other: String) -> String {
        parts(separatedBy: text).joined(separator: other)
    }
}
