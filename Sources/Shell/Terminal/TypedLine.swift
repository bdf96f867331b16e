import SecureMemory

/// Bracketed paste of xterm: the terminal sends a marker before and after pasted text. Terminals
/// without it ignore the control sequences.
package enum PasteMarks {
    package static let on = "\u{1b}[?2004h"
    package static let off = "\u{1b}[?2004l"
    fileprivate static let markers = ["\u{1b}[200~", "\u{1b}[201~"]
    /// The bytes of both markers.
    package static let count = markers.reduce(0) { $0 + $1.utf8.count }

    fileprivate static func marker(at offset: Int, in line: RawSpan) -> String? {
        let rest = line.extracting(offset..<line.byteCount)
        return markers.first { rest.starts(with: $0) }
    }
}

/// A line from the terminal in guarded memory, without the markers of a paste.
package struct TypedLine: ~Copyable {
    package let text: SecureBytes
    /// True if the line had a marker.
    package let isPasted: Bool

    package init(_ line: consuming SecureBytes) {
        let length = line.count
        let kept = line.withMutableBytes { span in
            var (kept, offset) = (0, 0)
            while offset < length {
                if let marker = PasteMarks.marker(at: offset, in: span.bytes) {
                    offset += marker.utf8.count
                } else {
                    span[byte: kept] = span[byte: offset]
                    (kept, offset) = (kept + 1, offset + 1)
                }
            }
            return kept
        }
        line.truncate(to: kept)
        isPasted = kept < length
        text = line
    }

    package consuming func take() -> SecureBytes { text }
}
