import JSON

/// An answer as a client receives it.
public struct HTTPAnswer: Equatable, Sendable {
    public var statusLine: String
    public var headers: [String]
    public var body: String

    public struct Malformed: Error {}

    public init(statusLine: String, headers: [String] = [], body: String) {
        (self.statusLine, self.headers, self.body) = (statusLine, headers, body)
    }

    public var status: Int { Int(statusLine.split(separator: " ").dropFirst().first ?? "") ?? 0 }
    public var json: JSONValue? { try? JSONValue.parse(Array(body.utf8)) }
    public var errorCode: Int? { json?["error"]?["code"]?.number.flatMap { Int($0) } }
    public var message: String? { json?["error"]?["details"]?.array?.first?["message"]?.string }

    /// The answers in some bytes, without interim ones. Each has a whole body.
    public static func all(in output: [UInt8]) throws -> [HTTPAnswer] {
        var answers: [HTTPAnswer] = []
        var rest = output[...]
        while !rest.isEmpty {
            guard let end = rest.firstRange(of: Array("\r\n\r\n".utf8)) else { throw Malformed() }
            var lines = String(decoding: rest[..<end.lowerBound], as: UTF8.self)
                .components(separatedBy: "\r\n")
            let statusLine = lines.removeFirst()
            rest = rest[end.upperBound...]
            if statusLine == "HTTP/1.1 100 Continue" { continue }
            let length = lines.compactMap { $0.value(of: "Content-Length") }.first.flatMap { Int($0) }
            // An answer to HEAD has no body.
            let isHead = statusLine.contains(" 405 ") && rest.isEmpty
            guard let length, length <= rest.count || isHead else { throw Malformed() }
            answers.append(
                HTTPAnswer(
                    statusLine: statusLine, headers: lines,
                    body: String(decoding: rest.prefix(length), as: UTF8.self)))
            rest = rest.dropFirst(length)
        }
        return answers
    }
}

extension String {
    fileprivate func components(separatedBy separator: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: separator) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }

    fileprivate func value(of header: String) -> String? {
        hasPrefix(header + ": ") ? String(dropFirst(header.count + 2)) : nil
    }
}
