/// Writes JSON text to the end of its bytes, token by token, with the commas between them.
///
/// Whoever calls it opens and closes in pairs and writes a key before each value of an object.
package struct JSONWriter: Sendable {
    package enum Style: Sendable {
        /// Without white space.
        case compact
        /// As cleos prints: two spaces a level, `"key": value`, `[]` and `{}` when empty.
        case pretty
    }

    @usableFromInline var output: [UInt8] = []
    /// What was written so far.
    @inlinable package var bytes: [UInt8] { output }
    /// How many bytes were written so far.
    @inlinable package var count: Int { output.count }
    package let style: Style
    @usableFromInline var depth = 0
    /// Whether a member was written before, so that a comma comes before the next.
    @usableFromInline var needsComma = false
    /// Whether a key was written, so that its value stands beside it.
    @usableFromInline var followsKey = false

    package init(style: Style = .compact) { self.style = style }

    /// Forgets what was written and keeps the room for it.
    package mutating func removeAll() {
        output.removeAll(keepingCapacity: true)
        depth = 0
        needsComma = false
        followsKey = false
    }

    // MARK: - structure

    package mutating func beginObject() { open(UInt8(ascii: "{")) }
    package mutating func endObject() { close(UInt8(ascii: "}")) }
    package mutating func beginArray() { open(UInt8(ascii: "[")) }
    package mutating func endArray() { close(UInt8(ascii: "]")) }

    package mutating func write(key: String) {
        startMember()
        append(quoted: key)
        endKey()
    }

    /// Writes a key from its text in quotes, which stands at `start` in `names`.
    package mutating func write(quotedKey names: [UInt8], from start: Int, count: Int) {
        startMember()
        append(names.span.extracting(start..<start + count))
        endKey()
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

    @usableFromInline
    mutating func startMember() {
        if followsKey {
            followsKey = false
            return
        }
        if needsComma { output.append(UInt8(ascii: ",")) }
        needsComma = true
        if style == .pretty, depth > 0 { startLine() }
    }

    private mutating func startLine() {
        output.append(UInt8(ascii: "\n"))
        output.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * max(0, depth)))
    }

    // MARK: - values

    package mutating func writeNull() { write(literal: "null") }
    package mutating func write(boolean: Bool) { write(literal: boolean ? "true" : "false") }

    /// Writes a number whose text the caller knows to be one.
    package mutating func write(number text: String) { write(literal: text) }

    private mutating func write(literal text: String) {
        startMember()
        output.append(contentsOf: text.utf8)
    }

    /// Writes a string in quotes, with what must be escaped.
    package mutating func write(string: String) {
        startMember()
        append(quoted: string)
    }

    /// Writes bytes as a string in quotes, with what must be escaped.
    /// - Returns: False when they are not UTF-8; what was written then is of no use.
    package mutating func write(utf8 text: Span<UInt8>) -> Bool {
        startMember()
        output.append(UInt8(ascii: "\""))
        guard append(escaping: text) else { return false }
        output.append(UInt8(ascii: "\""))
        return true
    }

    /// Writes a string from its text in quotes, which stands at `start` in `texts`.
    package mutating func write(quotedText texts: [UInt8], from start: Int, count: Int) {
        startMember()
        append(texts.span.extracting(start..<start + count))
    }

    /// Lets the closure append one value's text.
    @inlinable @inline(__always)
    package mutating func write(raw body: (inout [UInt8]) -> Void) {
        startMember()
        body(&output)
    }

    /// Lets the closure append a string's characters, none of which must be escaped.
    @inlinable @inline(__always)
    package mutating func write(quoted body: (inout [UInt8]) -> Void) {
        startMember()
        output.append(UInt8(ascii: "\""))
        body(&output)
        output.append(UInt8(ascii: "\""))
    }
}
