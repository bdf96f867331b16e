import Codecs
import Keys
import SecureMemory

/// Texts of public keys, signatures and private keys: accepted text is printed back exactly.
public enum KeyTextLaw: Law {
    public static let name = "KeyText"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        // These include canonical and other forms of the same keys.
        let texts = ["private-keys", "public-keys", "signatures"].flatMap { vectors.texts($0, "text") }
        let binaries = vectors.texts("public-keys", "binary") + vectors.texts("signatures", "binary")
        let scalars = vectors.texts("sign-digest", "digest").prefix(40)
        return try texts.map { Array($0.utf8) } + Set(binaries + scalars).sorted().map { try Hex.decode($0) }
    }

    /// The input is read as text, and as the bytes of a public key, a signature and a private key.
    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let string = text(input)
        let publicKey = try? PublicKey(string)
        let signature = try? Signature(string)
        let isPrivate = try checkPrivateText(input)
        try law(
            [publicKey != nil, signature != nil, isPrivate].count(where: \.self) <= 1,
            "a text is only one kind of value")
        _ = holdsPrivateKey(string)
        if let publicKey {
            try law(
                [publicKey.canonicalText, publicKey.legacyText].contains(string),
                "a public key's text is one of its two forms")
            try check(publicKey)
        }
        if let signature {
            try law(signature.text == string, "a signature has one text")
            try check(signature)
        }
        if let key = read(input, PublicKey.init(from:)) { try check(key, bytes: input) }
        if let signature = read(input, Signature.init(from:)) { try check(signature, bytes: input) }
        if input.count == PrivateKey.size {
            for curve in Curve.allCases { try checkScalar(input, curve) }
        }
    }

    // MARK: - public keys and signatures

    private static func read<Value>(_ input: [UInt8], _ value: (inout ByteReader) throws(CurveError) -> Value)
        -> Value?
    {
        try? ByteReader.read(input) { reader in
            let value = try value(&reader)
            try reader.expectEnd()
            return value
        }
    }

    private static func check(_ key: PublicKey, bytes: [UInt8]? = nil) throws(LawBroken) {
        var writer = ByteWriter()
        key.write(to: &writer)
        if let bytes { try law(writer.bytes == bytes, "a public key is written as it was read") }
        try law(read(writer.bytes, PublicKey.init(from:)) == key, "a public key is read as it was written")
        guard isReadable(key.body) else { return }
        for text in [key.canonicalText, key.legacyText, key.text] {
            guard let text else { continue }
            try law((try? PublicKey(text)) == key, "a public key's text is accepted: \(text)")
            try law(!holdsPrivateKey(text), "a public key is not recognised as a private key: \(text)")
        }
    }

    private static func check(_ signature: Signature, bytes: [UInt8]? = nil) throws(LawBroken) {
        var writer = ByteWriter()
        signature.write(to: &writer)
        if let bytes { try law(writer.bytes == bytes, "a signature is written as it was read") }
        try law(
            read(writer.bytes, Signature.init(from:)) == signature, "a signature is read as it was written")
        guard isReadable(signature.body) else { return }
        let text = signature.text
        try law((try? Signature(text)) == signature, "a signature's text is accepted: \(text)")
        try law(!holdsPrivateKey(text), "a signature is not recognised as a private key: \(text)")
    }

    /// Parts of WebAuthn keys and signatures may have any length, but base58 text is read only up
    /// to a limit.
    private static func isReadable(_ body: [UInt8]) -> Bool {
        Base58.maximumTextCount(for: body.count + 4) <= Base58.maximumCount
    }

    // MARK: - private keys, which are public test values here

    private static func checkPrivateText(_ input: [UInt8]) throws(LawBroken) -> Bool {
        guard input.count <= PrivateKey.maximumTextCount else { return false }
        let key: PrivateKey
        do { key = try PrivateKey.parse(SecureBytes(copyingPublic: input)) } catch { return false }
        let texts = try texts(of: key)
        try law(texts.contains(input), "a private key's text is one of its two forms")
        return true
    }

    private static func checkScalar(_ scalar: [UInt8], _ curve: Curve) throws(LawBroken) {
        let key: PrivateKey
        do { key = try PrivateKey(curve: curve, scalar: SecureBytes(copyingPublic: scalar)) } catch { return }
        for text in try texts(of: key) {
            let again = try must("a private key's text is accepted") {
                try PrivateKey.parse(SecureBytes(copyingPublic: text))
            }
            try law(again.curve == curve, "a private key's text names its curve")
            try law(again.withScalar(bytes) == scalar, "a private key's text has its scalar")
        }
    }

    private static func texts(of key: borrowing PrivateKey) throws(LawBroken) -> [[UInt8]] {
        let canonical = try must("a private key is printed") { try key.exportPlaintext() }
        var texts = [canonical.withBytes(bytes)]
        let wif = try must("a private key is printed as WIF") { try key.exportPlaintextWIF() }
        if let wif { texts.append(wif.withBytes(bytes)) }
        for text in texts {
            let string = Laws.text(text)
            try law(looksLikePrivateKey(string), "a private key looks like one: \(string)")
            try law(holdsPrivateKey("--key=\(string)"), "a private key is found in an argument: \(string)")
        }
        return texts
    }

    private static func bytes(_ span: RawSpan) -> [UInt8] { (0..<span.byteCount).map { span[byte: $0] } }
}
