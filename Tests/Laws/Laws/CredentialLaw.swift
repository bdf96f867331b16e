import Codecs
import HTTPSigning
import KeyVault

/// The public details of a credential have one form, and its texts are safe to show.
public enum CredentialLaw: Law {
    public static let name = "Credential"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let prefixes = [nil, try URLPrefix("https://example.com/v1/")]
        return try SigningProfileLaw.profiles(vectors).enumerated().map { index, profile in
            try Credential(
                profile: profile, keyID: KeyID("key-1"), prefix: prefixes[index % prefixes.count],
                nonceUnit: TimeUnit.allCases[index % TimeUnit.allCases.count]
            ).details
        }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let read = Credential(details: input) else { return }
        try law(
            read.details == input, "the details are written as they were read: \(Hex.encode(read.details))")
        for text in [read.keyID.text, read.prefix?.text ?? "", text(read.profile.stored)] {
            try law(text.utf8.allSatisfy { (0x20...0x7e).contains($0) }, "a text is printable ASCII: \(text)")
        }
        if let prefix = read.prefix {
            let url = try must("a URL is below the prefix") { try RequestURL(prefix.text + "/") }
            try law(prefix.mismatch(of: url) == nil, "the prefix allows it")
        }
    }
}
