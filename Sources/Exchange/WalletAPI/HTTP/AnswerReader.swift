import Codecs

/// An answer as a client of the agent gets it.
package struct ReceivedAnswer: Equatable, Sendable {
    package let status: Int
    package let body: [UInt8]
    /// True if the agent closes the connection after it.
    package let closes: Bool

    /// True if the agent did what was asked.
    package var isSuccess: Bool { (200..<300).contains(status) }
}

/// Why bytes are not an answer of the agent.
package enum AnswerFault: Error, Equatable, Sendable {
    case malformed
    case headerTooLong
    case bodyTooLong
    /// More bytes than one answer.
    case excess
}

/// Reads one answer of the agent from bytes in any parts. It accepts only what the agent sends: one
/// Content-Length, no other framing.
package struct AnswerReader: Sendable {
    package static let maximumHeader = 8 << 10
    /// A signed transaction is in hex, and not much longer than the order.
    package static let maximumBody = 8 << 20

    private var header: [UInt8] = []
    private var head: (status: Int, length: Int, closes: Bool)?
    private var body: [UInt8] = []

    package init() {}

    /// Takes the next bytes of the connection.
    /// - Returns: the answer when it is complete. The reader is then ready for the next one.
    package mutating func add(_ bytes: ArraySlice<UInt8>) throws(AnswerFault) -> ReceivedAnswer? {
        var rest = bytes
        while head == nil, let byte = rest.popFirst() {
            guard header.count < Self.maximumHeader else { throw .headerTooLong }
            header.append(byte)
            if byte == UInt8(ascii: "\n"), header.suffix(4).elementsEqual("\r\n\r\n".utf8) {
                head = try Self.head(header)
            }
        }
        guard let head else { return nil }
        guard rest.count <= head.length - body.count else { throw .excess }
        body += rest
        guard body.count == head.length else { return nil }
        let answer = ReceivedAnswer(status: head.status, body: body, closes: head.closes)
        self = AnswerReader()
        return answer
    }

    private static func head(
        _ header: [UInt8]
    ) throws(AnswerFault) -> (status: Int, length: Int, closes: Bool) {
        guard header.allSatisfy({ (0x20..<0x7f).contains($0) || $0 == 0x0d || $0 == 0x0a }) else {
            throw .malformed
        }
        let text = String(decoding: header.dropLast(4), as: UTF8.self)
        let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
        guard let first = lines.first, first.hasPrefix("HTTP/1.1 "),
            !lines.contains(where: { $0.isEmpty || $0.contains { $0 == "\n" || $0 == "\r" } })
        else { throw .malformed }
        guard let status = number(first.dropFirst("HTTP/1.1 ".count).prefix { $0 != " " }), status >= 200,
            status < 600
        else { throw .malformed }
        var (length, closes) = (nil as Int?, false)
        for line in lines.dropFirst() {
            guard let colon = line.firstIndex(of: ":") else { throw .malformed }
            let name = line[..<colon].lowercased()
            let value = line[line.index(after: colon)...].drop { $0 == " " }
            switch name {
            case "content-length":
                guard length == nil, let count = number(value) else { throw .malformed }
                length = count
            case "transfer-encoding": throw .malformed
            case "connection": closes = value == "close"
            default: break
            }
        }
        guard let length else { throw .malformed }
        guard length <= maximumBody else { throw .bodyTooLong }
        return (status, length, closes)
    }

    private static func number(_ text: Substring) -> Int? {
        guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int(text)
    }
}

extension WalletCall {
    /// The header of a request.
    /// - Parameter count: the bytes of its body.
    package func header(bodyCount count: Int) -> [UInt8] {
        Array(
            ("POST \(rawValue) HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                + "Content-Length: \(count)\r\n\r\n").utf8)
    }
}
