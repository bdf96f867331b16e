import Codecs

/// The digest of a body in the header Content-Digest (RFC 9530, section 2).
enum ContentDigest {
    static let header = "content-digest"

    /// A member of the header, such as `sha-256=:RK/0qy18MlBSVnWgjwz6lZEWjP/lF5HF9bvEF8FabDg=:`.
    /// - Returns: nil for a hash function that RFC 9530 calls insecure.
    static func member(_ hash: KeyedHash, of body: [UInt8]) -> String? {
        names[hash].map { "\($0)=:\(Base64.encode(hash.digest(body))):" }
    }

    /// The names in the registry of RFC 9530, section 5.
    static let names: [KeyedHash: String] = [.sha256: "sha-256", .sha512: "sha-512"]
}
