/// Decides which characters of text from outside may be shown unchanged.
extension Unicode.Scalar {
    /// True if the character is visible and stays in its place. Control, format (bidirectional,
    /// zero-width), separator, private-use and unassigned characters are not plain, nor are
    /// invisible characters and enclosing marks. The space is the only plain separator.
    public var isPlain: Bool {
        if self == " " { return true }
        switch properties.generalCategory {
        case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator,
            .spaceSeparator, .enclosingMark:
            return false
        default:
            // The default-ignorable property covers invisible letters such as the Hangul fillers;
            // the empty Braille pattern lacks that property.
            return !properties.isDefaultIgnorableCodePoint && self != "\u{2800}"
        }
    }
}
