import Codecs
import HTTPSigning
import JSON
import SecureMemory
import TestSupport

enum Reference {
    static let script = "Tests/Exchange/HTTPReference/reference.py"
}

/// A request with its credential, and its result as a line for the script.
struct SignedCase {
    let profile: SigningProfile
    let keyID: String
    let secret: [UInt8]
    let request: HTTPRequest

    func sign() throws -> SignedRequest {
        try profile.sign(request, keyID: KeyID(keyID), secret: SecureBytes(copyingPublic: secret))
    }

    /// The case, and what the program made of it.
    func line() throws -> String {
        let signed = try sign()
        var headers: [JSONValue] = []
        for header in signed.headers {
            var value = header.value
            if value == SignedRequest.placeholder {
                value = String(decoding: try signed.revealing(Array(value.utf8)).published(), as: UTF8.self)
            }
            headers.append(.array([.string(header.name), .string(value)]))
        }
        let parameters = profile.parameters.map { JSONMember($0.name, .string($0.value)) }
        let given = request.headers.map { JSONMember($0.name, .string($0.value)) }
        let json: JSONValue = [
            "profile": .string(profile.name), "parameters": .object(parameters), "key_id": .string(keyID),
            "secret": .string(Hex.encode(secret)), "method": .string(request.method.text),
            "url": .string(request.url.text), "body": .string(Hex.encode(request.body)),
            "content_type": request.contentType.map { .string($0) } ?? .null,
            "request_headers": .object(given),
            "time_us": .number(request.time.microseconds), "nonce": .number(request.nonce ?? 0),
            "final_url": .string(signed.url.text), "final_body": .string(Hex.encode(signed.body)),
            "headers": .array(headers),
        ]
        return json.text()
    }
}

extension SecureBytes {
    /// The bytes of a secret that is published.
    borrowing func published() -> [UInt8] {
        withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }
}

extension SplitMix {
    mutating func text(_ characters: String, _ count: ClosedRange<Int>) -> String {
        let characters = Array(characters)
        return String(
            (0..<Int.random(in: count, using: &self)).map { _ in characters.randomElement(using: &self) ?? "a"
            })
    }

    mutating func bytes(_ count: ClosedRange<Int>) -> [UInt8] {
        (0..<Int.random(in: count, using: &self)).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}
