/// Writes JSON text token by token and adds the commas between them.
///
/// The caller must close what it opens, and write a key before each value of an object.
public struct JSONWriter: Sendable {
    public enum Style: Sendable {
        /// Without white space.
        case compact
        /// As cleos prints: two spaces a level, `"key": value`, and `[]` and `{}` when empty.
        case pretty
    }

    @usableFromInline var output: [UInt8] = []
    /// The text written so far.
    @inlinable public var bytes: [UInt8] { output }
    /// The number of bytes written so far.
    @inlinable public var count: Int { output.count }
    public let style: Style
    @usableFromInline var depth = 0
    /// True if a comma is needed before the next member.
    @usableFromInline var needsComma = false
    /// True if a key was written, so that its value follows on the same line.
    @usableFromInline var followsKey = false

    public init(style: Style = .compact) { self.style = style }

    /// Removes all text and keeps the allocated memory.
    public mutating func removeAll() {
        output.removeAll(keepingCapacity: true)
        depth = 0
        needsComma = false
        followsKey = false
    }

    // MARK: - structure

    public mutating func beginObject() { open(UInt8(ascii: "{")) }
    public mutating func endObject() { close(UInt8(ascii: "}")) }
    public mutating func beginArray() { open(UInt8(ascii: "[")) }
    public mutating func endArray() { close(UInt8(ascii: "]")) }

    public mutating func write(key: String) {
        startMember()
        append(quoted: key)
        endKey()
    }

    /// Writes the quoted key at `start` in `names`, where it is between a comma and a colon.
    public mutating func write(quotedKey names: [UInt8], from start: Int, count: Int) {
        guard style == .compact, !followsKey else {
            startMember()
            append(names.span.extracting(start..<start + count))
            return endKey()
        }
        append(names.span.extracting(start - (needsComma ? 1 : 0)..<start + count + 1))
        needsComma = true
        followsKey = true
    }

    private mutating func endKey() {
        output.append(UInt8(ascii: ":"))
        if style == .pretty { output.append(UInt8(ascii: " ")) }
        followsKey = true
    }

    private mutating func open(_ bracket: UInt8) {
        startMember()
        output.append(bracket)
        depth += 1
        needsComma = false
    }

    private mutating func close(_ bracket: UInt8) {
        depth -= 1
        if needsComma, style == .pretty { startLine() }
        output.append(bracket)
        needsComma = true
    }

    @inlinable @inline(__always)
    mutating func startMember() {
        if followsKey { followsKey = false } else { startElement() }
    }

    @usableFromInline
    mutating func startElement() {
        if needsComma { output.append(UInt8(ascii: ",")) }
        needsComma = true
        if style == .pretty, depth > 0 { startLine() }
    }

    private mutating func startLine() {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * max(0, depth)))
    }

    // MARK: - values

    public mutating func writeNull() { write(literal: "null") }
    public mutating func write(boolean: Bool) { write(literal: boolean ? "true" : "false") }

    /// Writes a number. The caller must make sure that the text is a valid number.
    public mutating func write(number text: String) { write(literal: text) }

    private mutating func write(literal text: String) {
        startMember()
        output.append(contentsOf: text.utf8)
    }

    /// Writes a string in quotes, with escapes.
    public mutating func write(string: String) {
        startMember()
        append(quoted: string)
    }

    /// Writes bytes as a string in quotes, with escapes.
    /// - Returns: False if they are not UTF-8. The output is then incomplete and must not be used.
    public mutating func write(utf8 text: Span<UInt8>) -> Bool {
        startMember()
        output.append(UInt8(ascii: "\""))
        guard append(escaping: text) else { return false }
        output.append(UInt8(ascii: "\""))
        return true
    }

    /// Writes a string from its quoted text, which is at `start` in `texts`.
    public mutating func write(quotedText texts: [UInt8], from start: Int, count: Int) {
        startMember()
        append(texts.span.extracting(start..<start + count))
    }

    /// Lets the closure append the text of one value.
    @inlinable @inline(__always)
    public mutating func write(raw body: (inout [UInt8]) -> Void) {
        startMember()
        body(&output)
    }

    /// Lets the closure append the characters of a string. None of them may need an escape.
    @inlinable @inline(__always)
    public mutating func write(quoted body: (inout [UInt8]) -> Void) {
        startMember()
        output.append(UInt8(ascii: "\""))
        body(&output)
        output.append(UInt8(ascii: "\""))
    }
}
