import Codecs
import JSON
import Messages

/// A request as the user gives it.
package struct RequestInput: Hashable, Sendable {
    package let method: HTTPMethod
    package let url: RequestURL
    package let body: [UInt8]
    package let contentType: String?
    package let headers: [HTTPHeader]
    /// Nil for the clock.
    package let time: GivenTime?
    /// Nil for the next one.
    package let nonce: UInt64?
    package let allowsInsecureHTTP: Bool

    package init(
        method: HTTPMethod, url: RequestURL, body: [UInt8], contentType: String?, headers: [HTTPHeader],
        time: GivenTime?,
        nonce: UInt64?, allowsInsecureHTTP: Bool
    ) {
        (self.method, self.url, self.body, self.contentType) = (method, url, body, contentType)
        (self.headers, self.time, self.nonce, self.allowsInsecureHTTP) = (
            headers, time, nonce, allowsInsecureHTTP
        )
    }
}

/// Why a line is not a request.
package enum RequestLineError: Error, Equatable {
    case notAnObject
    case unknownMember(String)
    case missingMember(String)
    case wrongType(String)
    /// Both forms of the body are there.
    case twoBodies
}

extension RequestLineError: WordedError {
    package var words: Words {
        switch self {
        case .notAnObject: Words(.wrongFields, "the line is not a JSON object")
        case .unknownMember(let name):
            Words(.wrongFields, "the request has an unknown member, \(Printable.excerpt(name))")
        case .missingMember(let name): Words(.wrongFields, "the request lacks the member \(name)")
        case .wrongType(let name): Words(.wrongFields, "the member \(name) is not of the expected type")
        case .twoBodies: Words(.wrongFields, "the request has both body and body_base64")
        }
    }
}

extension RequestInput {
    private static let members: Set = [
        "id", "method", "url", "body", "body_base64", "content_type", "headers", "time", "nonce",
    ]

    /// A number in decimal digits, as a JSON text or a JSON number.
    private static func number(_ value: JSONValue) -> UInt64? {
        (value.string ?? value.number).flatMap { text in
            UInt64(text).flatMap { "\($0)" == text ? $0 : nil }
        }
    }

    /// The limits of a line. The longest body with an escape for each byte takes more than its
    /// bytes, in base64 less.
    package static let limits = JSONLimits(depth: 3, size: 2 * HTTPRequest.maximumBody)

    /// Reads a line of `credential sign --lines`.
    /// - Throws: `RequestLineError`, `HTTPSigningError`, `CodecError`.
    package init(_ value: JSONValue, allowsInsecureHTTP: Bool) throws {
        guard let object = value.object else { throw RequestLineError.notAnObject }
        for member in object {
            guard member.key.isAny(of: Self.members) else { throw RequestLineError.unknownMember(member.key) }
            let isText = member.value.string != nil
            let isRight =
                switch member.key {
                case "id": isText || member.value.number != nil
                case "time": member.value.string != nil || Self.number(member.value) != nil
                case "nonce": Self.number(member.value) != nil
                case "headers": member.value.array != nil
                default: isText
                }
            guard isRight else { throw RequestLineError.wrongType(member.key) }
        }
        func text(_ name: String) throws(RequestLineError) -> String {
            guard let text = value[name]?.string else { throw .missingMember(name) }
            return text
        }
        if value["body"] != nil, value["body_base64"] != nil { throw RequestLineError.twoBodies }
        let coded = try value["body_base64"]?.string.map { try Base64.decode(utf8: Array($0.utf8)) }
        let body = coded ?? value["body"]?.string.map { Array($0.utf8) } ?? []
        let time = try value["time"].map { try GivenTime($0.string ?? $0.number ?? "") }
        self.init(
            method: try HTTPMethod(text("method")), url: try RequestURL(text("url")), body: body,
            contentType: value["content_type"]?.string,
            headers: try (value["headers"]?.array ?? []).map(HTTPHeader.init(member:)), time: time,
            nonce: value["nonce"].flatMap(Self.number),
            allowsInsecureHTTP: allowsInsecureHTTP)
    }
}

extension RequestInput {
    /// A line of `credential sign --lines` without an id, which is read as this request.
    package var json: JSONValue {
        let content: JSONValue =
            String(validating: body, as: UTF8.self).map { ["body": .string($0)] }
            ?? ["body_base64": .string(Base64.encode(body))]
        let list = headers.map { header -> JSONValue in
            ["name": .string(header.name), "value": .string(header.value)]
        }
        return (["method": .string(method.text), "url": .string(url.text)] as JSONValue).adding(content)
            .adding(contentType.map { ["content_type": .string($0)] })
            .adding(list.isEmpty ? nil : ["headers": .array(list)])
            .adding(time.map { ["time": .string($0.text)] })
            .adding(nonce.map { ["nonce": .string("\($0)")] })
    }
}

extension HTTPHeader {
    /// An object with a name and a value.
    init(member: JSONValue) throws {
        guard let object = member.object, object.count == 2, let name = member["name"]?.string,
            let value = member["value"]?.string
        else { throw RequestLineError.wrongType("headers") }
        try self.init(name, value)
    }
}
