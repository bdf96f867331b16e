/// A value whose text form is ASCII. Each value has exactly one text, and that text parses to the
/// value.
package protocol TextValue: CustomStringConvertible {
    /// - Throws: The type documents its errors.
    init(utf8 text: Span<UInt8>) throws(ABIError)

    /// Appends the text.
    func append(to bytes: inout [UInt8])
}

extension TextValue {
    package init(_ text: some StringProtocol) throws(ABIError) { try self.init(utf8: Array(text.utf8).span) }

    package var text: String {
        var bytes: [UInt8] = []
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    package var description: String { text }
}
