/// Which characters of text from outside may be shown as they are.
extension Unicode.Scalar {
    /// Whether it shows, by itself and in its place: no control, format (bidi, zero-width),
    /// separator, private or unassigned character, none that shows as nothing, none that encloses
    /// its neighbour. The space is the one separator.
    package var isPlain: Bool {
        if self == " " { return true }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator, .enclosingMark:
            return false
        default:
            // Letters that show as nothing: the Hangul fillers, and the empty Braille pattern.
            return !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
        }
    }
}
