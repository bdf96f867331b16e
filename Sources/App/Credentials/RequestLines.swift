import Codecs
import HTTPSigning
import JSON
import KeyVault
import Shell

/// Signs each request of standard input, one JSON object on each line, under one unlock. The result
/// of a line is written after its COMMIT, before the next line is read.
struct RequestLines {
    let signer: CredentialSigner
    let allowsInsecureHTTP: Bool

    private static let maximumLine = RequestInput.limits.size

    /// - Returns: true if each line was signed.
    func sign(in vault: borrowing UnlockedVault) throws -> Bool {
        var (number, areSigned) = (0, true)
        var notes = NonceNotes()
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
            let value = try JSONValue.parse(line, limits: RequestInput.limits)
            if let given = value["id"], given.string != nil || given.number != nil { id = given }
            let request = try RequestInput(value, allowsInsecureHTTP: allowsInsecureHTTP)
            signed = try signer.sign(request, id: id, in: vault)
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
