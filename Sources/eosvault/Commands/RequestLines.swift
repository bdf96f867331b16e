import Codecs
import HTTPSigning
import JSON
import KeyVault
import TerminalText

/// Signs each request of standard input, one JSON object on each line, under one unlock. The result
/// of a line is written after its COMMIT, before the next line is read.
struct RequestLines {
    let signer: CredentialSigner
    let allowsInsecureHTTP: Bool

    /// The longest line: the longest body with an escape for each byte takes more, in base64 less.
    private static let maximumLine = 2 * HTTPRequest.maximumBody

    /// - Returns: whether each line was signed.
    func sign(in vault: borrowing UnlockedVault) throws -> Bool {
        var (number, areSigned) = (0, true)
        var notes = NonceNotes(isVaultNewHere: vault.vault.isNewHere)
        try LineReader(limit: Self.maximumLine).forEach { line in
            number += 1
            if try !sign(line, number, in: vault, &notes) { areSigned = false }
        } tooLong: {
            number += 1
            areSigned = false
            try Self.refuse(.number(number), InputFile.Failure.tooLong(limit: Self.maximumLine))
        } waiting: {
        }
        return areSigned
    }

    private func sign(
        _ line: [UInt8], _ number: Int, in vault: borrowing UnlockedVault, _ notes: inout NonceNotes
    ) throws -> Bool {
        var id = JSONValue.number(number)
        let signed: CredentialSigner.Output
        do {
            let value = try JSONValue.parse(line, limits: JSONLimits(depth: 3, size: Self.maximumLine))
            if let given = value["id"] { id = given }
            let request = try RequestInput(value, allowsInsecureHTTP: allowsInsecureHTTP)
            signed = try signer.sign(request, id: id, in: vault)
        } catch {
            try Self.refuse(id, error)
            return false
        }
        notes.write(signed.nonce)
        try delivering(.request, to: nil) { try signed.write() }
        return true
    }

    private static let hint = "`eosvault help credential sign` describes a line of --lines"

    private static func refuse(_ id: JSONValue, _ error: any Error) throws {
        var words = Words(for: error)
        // The general hints of these errors are about transactions.
        if error is JSONError || error is CodecError || error is RequestLineError {
            words = Words(words.code, words.message, hint: hint)
        }
        let line: JSONValue = ["id": id, "error": words.json]
        try Output.json(line)
    }
}

/// Why a line is not a request.
enum RequestLineError: Error, Equatable {
    case notAnObject
    case unknownMember(String)
    case missingMember(String)
    case wrongType(String)
    /// Both forms of the body are there.
    case twoBodies
}

extension RequestLineError: WordedError {
    var words: Words {
        switch self {
        case .notAnObject: Words(.wrongType, "the line is not a JSON object")
        case .unknownMember(let name):
            Words(.unknownField, "the request has an unknown member, \(Printable.excerpt(name))")
        case .missingMember(let name): Words(.missingField, "the request lacks the member \(name)")
        case .wrongType(let name): Words(.wrongType, "the member \(name) is not of the expected type")
        case .twoBodies: Words(.duplicateField, "the request has both body and body_base64")
        }
    }
}

extension RequestInput {
    private static let members: Set = [
        "id", "method", "url", "body", "body_base64", "content_type", "headers", "time", "nonce",
    ]

    /// Reads a line of `credential sign --lines`.
    /// - Throws: `RequestLineError`, `HTTPSigningError`, `CodecError`.
    init(_ value: JSONValue, allowsInsecureHTTP: Bool) throws {
        guard let object = value.object else { throw RequestLineError.notAnObject }
        for member in object {
            guard Self.members.contains(member.key) else { throw RequestLineError.unknownMember(member.key) }
            let isText = member.value.string != nil
            let isNumber = member.value.number.flatMap { UInt64($0) } != nil
            let isRight =
                switch member.key {
                case "id": isText || member.value.number != nil
                case "time", "nonce": isNumber
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
        func number(_ name: String) -> UInt64? { value[name]?.number.flatMap { UInt64($0) } }
        self.init(
            method: try HTTPMethod(text("method")), url: try RequestURL(text("url")), body: body,
            contentType: value["content_type"]?.string,
            headers: try (value["headers"]?.array ?? []).map(HTTPHeader.init(member:)), time: number("time"),
            nonce: number("nonce"),
            allowsInsecureHTTP: allowsInsecureHTTP)
    }
}

extension HTTPHeader {
    /// An object with a name and a value.
    fileprivate init(member: JSONValue) throws {
        guard let object = member.object, object.count == 2, let name = member["name"]?.string,
            let value = member["value"]?.string
        else { throw RequestLineError.wrongType("headers") }
        try self.init(name, value)
    }
}
