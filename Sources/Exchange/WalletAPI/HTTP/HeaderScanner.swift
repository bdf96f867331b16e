import SecureMemory

/// Finds the end of a header, and refuses bytes that no header contains, as soon as they arrive.
struct HeaderScanner {
    private enum Place {
        case lineStart
        case inLine
        /// After the CR of a line, which may be the empty line at the end.
        case afterReturn(isEmpty: Bool)
    }

    private var place = Place.lineStart
    /// The complete lines, with the request line.
    private var lineCount = 0
    private(set) var count = 0

    /// Reads up to the end of the header.
    /// - Parameter offset: the first byte to read; then the byte after the last one that was read.
    /// - Returns: true at the end of the header.
    mutating func readHeader(_ bytes: RawSpan, from offset: inout Int) throws(RequestFault) -> Bool {
        while offset < bytes.byteCount {
            guard count < RequestReader.maximumHeader else { throw .headerTooLong }
            let isEnd = try read(bytes[byte: offset])
            offset += 1
            count += 1
            if isEnd { return true }
        }
        return false
    }

    /// - Returns: true at the end of the header.
    private mutating func read(_ byte: UInt8) throws(RequestFault) -> Bool {
        switch (place, byte) {
        case (.afterReturn(let isEmpty), UInt8(ascii: "\n")):
            if isEmpty { return true }
            lineCount += 1
            place = .lineStart
        case (.afterReturn, _), (_, UInt8(ascii: "\n")): throw .malformed(.lineEnding)
        case (.lineStart, UInt8(ascii: "\r")):
            guard lineCount > 0 else { throw .malformed(.emptyLine) }
            place = .afterReturn(isEmpty: true)
        case (_, UInt8(ascii: "\r")): place = .afterReturn(isEmpty: false)
        case (.lineStart, _):
            guard lineCount <= RequestReader.maximumLineCount else { throw .tooManyLines }
            let isBlank = byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t")
            guard !isBlank else { throw .malformed(lineCount == 0 ? .requestLine : .foldedLine) }
            try Self.expectText(byte)
            place = .inLine
        case (.inLine, _): try Self.expectText(byte)
        }
        return false
    }

    private static func expectText(_ byte: UInt8) throws(RequestFault) {
        guard byte >= 0x20 && byte != 0x7f || byte == UInt8(ascii: "\t") else {
            throw .malformed(.character)
        }
    }
}
