import Codecs
import HTTPSigning
import JSON
import Shell

/// Signs each request of standard input, one JSON object on each line, under one unlock. The result
/// of a line is written after its COMMIT, before the next line is read.
package struct RequestLines {
    /// Signs a request. The second value is the id of the line.
    package typealias Sign = (RequestInput, JSONValue) throws -> CredentialOutput

    private let allowsInsecureHTTP: Bool

    package init(allowsInsecureHTTP: Bool) { self.allowsInsecureHTTP = allowsInsecureHTTP }

    private static let maximumLine = RequestInput.limits.size

    /// - Returns: true if each line was signed.
    package func sign(_ sign: Sign) throws -> Bool {
        var (number, areSigned) = (0, true)
        var notes = NonceNotes()
        try LineReader(limit: Self.maximumLine).forEach { line in
            number += 1
            if try !self.sign(line, number, by: sign, &notes) { areSigned = false }
        } tooLong: {
            number += 1
            areSigned = false
            try Self.refuse(.number(number), InputFile.Failure.tooLong(limit: Self.maximumLine))
        } waiting: {
        }
        return areSigned
    }

    private func sign(
        _ line: [UInt8], _ number: Int, by sign: Sign, _ notes: inout NonceNotes
    ) throws -> Bool {
        var id = JSONValue.number(number)
        let signed: CredentialOutput
        do {
            let value = try JSONValue.parse(line, limits: RequestInput.limits)
            if let given = value["id"], given.string != nil || given.number != nil { id = given }
            let request = try RequestInput(value, allowsInsecureHTTP: allowsInsecureHTTP)
            signed = try sign(request, id)
        } catch {
            try Self.refuse(id, error)
            return false
        }
        notes.write(signed.nonce)
        try delivering(.request(bodyFile: nil, hasNonce: false), to: nil) { try signed.write() }
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
