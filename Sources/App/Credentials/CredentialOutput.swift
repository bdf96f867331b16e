import Codecs
import Files
import HTTPSigning
import JSON
import SecureMemory
import Shell

/// A signed request as it is printed.
package struct CredentialOutput: ~Copyable {
    /// With a placeholder if there is a secret.
    let text: [UInt8]
    /// The text, if it contains a secret.
    private let secret: SecureBytes?
    private let url: RequestURL
    private let body: [UInt8]
    private let warnings: [RequestWarning]
    /// Nil for a profile without nonces.
    let nonce: UsedNonce?
    private let format: RequestFormat

    /// - Parameters:
    ///   - id: a member of the JSON output.
    ///   - bodyPath: the path of the body's file.
    init(
        _ signed: borrowing SignedRequest, _ id: JSONValue?, _ nonce: UsedNonce?, as format: RequestFormat,
        bodyPath: String?
    ) throws(HTTPSigningError) {
        let text =
            switch format {
            case .headers: signed.headerLines
            case .json: Array((Printable.json(signed.json(id, nonce: nonce?.value)) + "\n").utf8)
            case .curl: try signed.curlConfig(bodyPath: bodyPath)
            }
        secret = signed.isSecret ? try signed.revealing(text) : nil
        (self.text, url, body) = (text, signed.url, signed.body)
        (warnings, self.nonce, self.format) = (signed.warnings, nonce, format)
    }

    /// A request that an agent signed.
    /// - Returns: nil for an answer in another form.
    package init?(answer: JSONValue, id: JSONValue?, for source: RequestSource) throws(HTTPSigningError) {
        guard let signed = try? SignedRequest(answer) else { return nil }
        func remark(_ name: String) -> Bool { if case .boolean(true)? = answer[name] { true } else { false } }
        let nonce = answer["nonce"]?.string.flatMap { UInt64($0) }.map {
            UsedNonce(value: $0, isFarAhead: remark("nonce_ahead"), isUnsure: remark("nonce_unsure"))
        }
        try self.init(signed, id, nonce, as: source.outputFormat, bodyPath: source.bodyPath)
    }

    /// Writes the text to standard output.
    /// - Parameter isForPeople: wraps lines on a terminal.
    func write(isForPeople: Bool = false) throws(Output.Failure) {
        switch secret {
        case .some(let secret): try Output.secret(secret)
        case .none where isForPeople: try Output.report(String(decoding: text, as: UTF8.self))
        case .none: try Output.data(text)
        }
    }

    /// Prints the request with its notes and warnings, and writes the file with its body.
    /// - Parameters:
    ///   - source: the options.
    ///   - url: that was given; the profile may append to it.
    package func deliver(for source: RequestSource, asked url: RequestURL, body file: NewFile?) throws {
        var notes = NonceNotes()
        notes.write(nonce)
        for warning in warnings { Messages.warning(warning.text) }
        if format == .headers, self.url != url { Messages.note(Words.finalURL(self.url.text)) }
        let hasNonce = source.nonce != nil
        try delivering(.request(bodyFile: nil, hasNonce: hasNonce), to: source.bodyOut) {
            try file?.write(body)
        }
        try delivering(.request(bodyFile: source.bodyOut, hasNonce: hasNonce), to: nil) {
            try write(isForPeople: format == .headers)
        }
    }
}

/// The nonce of a request.
struct UsedNonce {
    let value: UInt64
    /// True if it is more than a minute after the clock.
    let isFarAhead: Bool
    /// True if another copy of the vault may have used a greater one. False for a nonce that the
    /// user chose.
    let isUnsure: Bool

    /// For the answer of an agent.
    var remarks: JSONValue { ["nonce_ahead": .boolean(isFarAhead), "nonce_unsure": .boolean(isUnsure)] }
}

/// The notes on the nonces of one run.
struct NonceNotes {
    private var isClockNoted = false

    mutating func write(_ nonce: UsedNonce?) {
        guard let nonce else { return }
        if nonce.isUnsure { Messages.note(Words.firstNonceHere(nonce.value)) }
        if nonce.isFarAhead, !isClockNoted { Messages.note(Words.clockBehindNonce(nonce.value)) }
        isClockNoted = isClockNoted || nonce.isFarAhead
    }
}

extension SignedRequest {
    static let shape: JSONShape = [
        "method": .text("the method"), "url": .text("the URL to send"),
        "headers": .list(
            of: ["name": .text("its name"), "value": .text("its value")], "the headers to send"),
        "body?": .text("the body to send"), "body_base64?": .text("a body that is not UTF-8"),
        "nonce?": .text("the nonce, in decimal, if the profile uses one"),
        "warnings": .list(
            of: .text,
            "none or several of `query-not-signed`, `body-not-signed`, `plain-http` (http to another machine)"
        ),
    ]

    /// A line of `--lines`.
    static let line = JSONShape.object([
        "id": .any("the id of the request, or the number of the line, from 1")
    ])
    .adding(shape.optional).adding(["error?": .object(.error, "why the line was refused")])

    /// For programs. A body that is not UTF-8 is in base64.
    borrowing func json(_ id: JSONValue?, nonce: UInt64?) -> JSONValue {
        let text = String(validating: body, as: UTF8.self)
        let content: JSONValue =
            text.map { ["body": .string($0)] } ?? ["body_base64": .string(Base64.encode(body))]
        let list = headers.map { header -> JSONValue in
            ["name": .string(header.name), "value": .string(header.value)]
        }
        return ([:] as JSONValue).adding(id.map { ["id": $0] })
            .adding(["method": .string(method.text), "url": .string(url.text), "headers": .array(list)])
            .adding(content).adding(nonce.map { ["nonce": .string("\($0)")] })
            .adding(["warnings": .array(warnings.map { .string($0.rawValue) })])
    }
}
