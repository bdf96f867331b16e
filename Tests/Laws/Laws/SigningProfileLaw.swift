import HTTPSigning
import JSON
import SecureMemory

/// A template is refused, or makes a profile whose stored form reads back. Stored bytes are
/// refused, or are exactly what the program stores. A profile signs a request or refuses it, and
/// curl's configuration has one line for each option.
public enum SigningProfileLaw: Law {
    public static let name = "SigningProfile"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let templates = vectors.tests("http-signatures").compactMap { $0["parameters"]?["template"]?.string }
        return profiles(vectors).map(\.stored) + templates.map { Array($0.utf8) }
    }

    /// The profiles of the vectors.
    static func profiles(_ vectors: Vectors) -> [SigningProfile] {
        vectors.tests("http-signatures").compactMap { test in
            let parameters = (test["parameters"]?.object ?? []).compactMap { member in
                member.value.string.map { (member.key, $0) }
            }
            return try? SigningProfile(
                name: test["profile"]?.string ?? "", parameters: Dictionary(parameters) { first, _ in first })
        }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        if let profile = try? SigningProfile(stored: input) {
            try law(profile.stored == input, "stored bytes are canonical")
            try check(profile)
        }
        if let profile = try? SigningProfile(name: "hmac", parameters: ["template": text(input)]) {
            try law(
                profile.parameters.first?.value.utf8.elementsEqual(input) ?? false,
                "a template keeps its text")
            try check(profile)
        }
    }

    private static func check(_ profile: SigningProfile) throws(LawBroken) {
        let again = try must("its stored form is read") { try SigningProfile(stored: profile.stored) }
        try law(again == profile, "its stored form is the same profile")
        let sign = { () throws -> SignedRequest in
            let request = try HTTPRequest(
                method: HTTPMethod("POST"), url: RequestURL("https://example.com/a?b=1"),
                body: Array("c=\"d".utf8),
                time: RequestTime(1, .seconds), nonce: 2)
            return try profile.sign(
                request, keyID: KeyID("key"), secret: SecureBytes(copyingPublic: "secret".utf8))
        }
        guard let signed = try? sign() else { return }
        let lines = signed.headerLines.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        try law(lines.count == signed.headers.count + 1, "each header is one line")
        let config = try must("curl's configuration is made") { try signed.curlConfig() }
        try law(!config.contains(UInt8(ascii: "\r")) && !config.contains(0), "a value can't end its line")
        try law(
            config.count { $0 == UInt8(ascii: "\n") } == signed.headers.count + 8, "each option is one line")
    }
}
