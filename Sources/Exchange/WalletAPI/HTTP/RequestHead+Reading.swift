import Codecs
import SecureMemory

extension RequestHead {
    /// Reads a complete header (RFC 9112). `HeaderScanner` found its end, so that each line ends
    /// with CR LF and has no control character.
    init(reading header: RawSpan) throws(RequestFault) {
        var start = 0
        let requestLine = header.line(from: &start)
        try self.init(requestLine: header.extracting(requestLine))
        var fields = Fields()
        while true {
            let line = header.line(from: &start)
            guard !line.isEmpty else { break }
            try read(header.extracting(line), &fields)
        }
        bodyLength = fields.contentLength ?? 0
        // HTTP/1.0 has no interim answers.
        if isOld { expectsContinue = false }
        // The agent ends after `stop`.
        if fields.closes || target == .call(.stop) {
            keepsOpen = false
        } else if fields.keepsAlive {
            keepsOpen = true
        }
    }

    /// The fields that may occur once, and what decides together.
    private struct Fields {
        var contentLength: Int?
        var hasHost = false
        var closes = false
        var keepsAlive = false
    }

    private init(requestLine line: RawSpan) throws(RequestFault) {
        let space = UInt8(ascii: " ")
        guard let first = (0..<line.byteCount).first(where: { line[byte: $0] == space }), first > 0,
            let second = (first + 1..<line.byteCount).first(where: { line[byte: $0] == space }),
            second > first + 1, (0..<first).allSatisfy({ line[byte: $0].isTokenCharacter })
        else { throw .malformed(.requestLine) }
        let version = line.extracting(second + 1..<line.byteCount)
        let isOld = version.equals("HTTP/1.0")
        guard isOld || version.equals("HTTP/1.1") else { throw .malformed(.version) }
        let method = line.extracting(0..<first)
        let target = try Target(reading: line.extracting(first + 1..<second))
        self.init(
            method: method.equals("POST") ? .post : method.equals("HEAD") ? .head : .other, target: target,
            isOld: isOld, keepsOpen: !isOld)
    }

    private mutating func read(_ line: RawSpan, _ fields: inout Fields) throws(RequestFault) {
        guard let colon = (0..<line.byteCount).first(where: { !line[byte: $0].isTokenCharacter }), colon > 0,
            line[byte: colon] == UInt8(ascii: ":")
        else { throw .malformed(.field) }
        let name = line.extracting(0..<colon)
        let value = line.extracting(line.trimmed(colon + 1..<line.byteCount))
        switch name.byteCount {
        case 4 where name.equals("host", ignoringCase: true):
            guard !fields.hasHost else { throw .malformed(.host) }
            fields.hasHost = true
        case 6 where name.equals("origin", ignoringCase: true): hasOrigin = true
        case 6 where name.equals("expect", ignoringCase: true):
            if value.equals("100-continue", ignoringCase: true) { expectsContinue = true }
        case 10 where name.equals("connection", ignoringCase: true):
            if value.listContains("close") { fields.closes = true }
            if value.listContains("keep-alive") { fields.keepsAlive = true }
        case 14 where name.equals("content-length", ignoringCase: true):
            guard fields.contentLength == nil, let length = value.decimal else {
                throw .malformed(.contentLength)
            }
            fields.contentLength = length
        case 16 where name.equals("content-encoding", ignoringCase: true): hasEncoding = true
        case 17 where name.equals("transfer-encoding", ignoringCase: true):
            throw .malformed(.transferEncoding)
        default: break
        }
    }
}

extension RequestHead.Target {
    /// Compares the path byte by byte: no other spelling of a path is a call.
    fileprivate init(reading target: RawSpan) throws(RequestFault) {
        let bytes = 0..<target.byteCount
        guard bytes.allSatisfy({ target[byte: $0] < 0x80 }) else { throw .malformed(.requestLine) }
        let dot = UInt8(ascii: ".")
        let hasParent = bytes.dropFirst().contains { target[byte: $0] == dot && target[byte: $0 - 1] == dot }
        guard target[byte: 0] == UInt8(ascii: "/"), !hasParent else {
            self = .illegal
            return
        }
        let call = WalletCall.allCases.first { target.equals($0.rawValue) }
        self = call.map { .call($0) } ?? .unknown
    }
}

extension RawSpan {
    /// The range of a line without its CR LF.
    /// - Parameter start: where the line begins; then where the next one begins.
    fileprivate func line(from start: inout Int) -> Range<Int> {
        let end = (start..<byteCount).first { self[byte: $0] == UInt8(ascii: "\r") } ?? byteCount
        defer { start = Swift.min(end + 2, byteCount) }
        return start..<end
    }

    /// - Parameter text: lower case, if the case is ignored.
    fileprivate func equals(_ text: String, ignoringCase: Bool = false) -> Bool {
        let text = text.utf8
        guard text.count == byteCount else { return false }
        return text.enumerated().allSatisfy { offset, expected in
            let byte = self[byte: offset]
            return byte == expected || ignoringCase && byte.lowercased == expected
        }
    }

    /// The range without the spaces and tabs at its ends.
    fileprivate func trimmed(_ range: Range<Int>) -> Range<Int> {
        func isBlank(_ offset: Int) -> Bool {
            self[byte: offset] == UInt8(ascii: " ") || self[byte: offset] == UInt8(ascii: "\t")
        }
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, isBlank(start) { start += 1 }
        while end > start, isBlank(end - 1) { end -= 1 }
        return start..<end
    }

    /// True if a list with commas has the element, in either case.
    fileprivate func listContains(_ element: String) -> Bool {
        var start = 0
        while start <= byteCount {
            let end = (start..<byteCount).first { self[byte: $0] == UInt8(ascii: ",") } ?? byteCount
            if extracting(trimmed(start..<end)).equals(element, ignoringCase: true) { return true }
            start = end + 1
        }
        return false
    }

    /// The number of 1 to 18 digits.
    fileprivate var decimal: Int? {
        guard (1...18).contains(byteCount) else { return nil }
        var number = 0
        for offset in 0..<byteCount {
            let digit = self[byte: offset] &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = 10 * number + Int(digit)
        }
        return number
    }
}

extension UInt8 {
    /// RFC 9110, section 5.6.2.
    fileprivate var isTokenCharacter: Bool {
        isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains(self)
    }

    fileprivate var lowercased: UInt8 {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) ? self | 0x20 : self
    }
}
