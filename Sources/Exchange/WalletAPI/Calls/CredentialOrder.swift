import HTTPSigning
import JSON
import Messages

/// The body of the agent's own call `credential_sign`: an HTTP request to sign, and the credential.
package struct CredentialOrder: Sendable {
    /// A label, or an id.
    package let credential: String
    /// As in a line of `eosvault credential sign --lines`.
    package let request: RequestInput
    /// The time window in milliseconds; nil for the one of the profile.
    package let window: UInt64?
    /// True to refuse a profile that appends parameters to the body.
    package let keepsBody: Bool

    init(_ body: [UInt8]) throws(WalletError) {
        let members = try OrderMembers(
            body: body, ["credential", "request", "window", "keep_body"])
        credential = try members.required("credential", members.text)
        window = try members.number("window")
        keepsBody = try members.boolean("keep_body")
        let text = try members.required("request", members.object)
        do {
            request = try RequestInput(
                JSONValue.parse(text, limits: RequestInput.limits), allowsInsecureHTTP: false)
        } catch { throw .wrongBody(Words(for: error).message, Words(for: error).code) }
    }
}
