import JSON
import Keys

/// Checks signatures against the keys that made them.
enum SignatureChecks {
    static func sign(_ test: VectorTest) throws(VectorFailure) {
        let digest = try digest(test)
        let key = try test.privateKey("private_key")
        let signed = try test.attempt("sign") { try key.sign(digest) }
        try test.expect("signature", is: signed.signature.text)
        try test.expect("attempts", try test.value("attempts").number == "\(signed.attempts)")
        try test.expect("public_key", is: key.publicKey.canonicalText)
    }

    static func verify(_ test: VectorTest) throws(VectorFailure) {
        // All fields are read before anything is compared, so that a missing field is reported as
        // such.
        let digest = try digest(test)
        let text = try test.text("signature")
        let (keyText, keyBytes) =
            test.isValid ? (try test.text("public_key"), nil) : (nil, try test.hex("public_key_hex"))
        let signature = try test.attempt("signature") { try Signature(text) }
        if signature.kind == .k1 { try test.expect("canonical", signature.isCanonical) }
        let recovered = try test.attempt("recover") { try signature.recover(digest) }
        if let keyText { try test.expect("public_key", keyText == recovered.canonicalText) }
        if let keyBytes { try test.expect("public_key_hex", keyBytes == recovered.body) }
    }

    private static func digest(_ test: VectorTest) throws(VectorFailure) -> SigningDigest {
        let bytes = try test.hex("digest")
        do { return try SigningDigest(bytes) } catch { throw .malformedField("digest") }
    }
}
