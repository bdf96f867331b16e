import Codecs
import Keys
import SecureMemory

/// Checks texts of keys and signatures against their other forms.
enum KeyChecks {
    static func privateKey(_ test: VectorTest) throws(VectorFailure) {
        let key = try test.privateKey("text")
        // An invalid test has no other fields; only parsing is tested.
        guard test.isValid else { return }
        let publicKey = key.publicKey
        try test.expect("curve", is: key.curve.suffix)
        try test.expect("public_key", is: publicKey.canonicalText)
        let canonical = try test.attempt("canonical") { try key.exportPlaintext() }
        try test.expect("canonical", try canonical.holds(test.text("canonical")))
        guard key.curve == .k1 else { return }
        try test.expect("legacy_public_key", is: publicKey.legacyText)
        let expected = try test.text("wif")
        let matches = try test.attempt("wif") {
            guard let wif = try key.exportPlaintextWIF() else { return false }
            return try wif.holds(expected)
        }
        try test.expect("wif", matches)
    }

    static func publicKey(_ test: VectorTest) throws(VectorFailure) {
        let text = try test.text("text")
        let key = try test.attempt("text") { try PublicKey(text) }
        guard test.isValid else { return }
        try test.expect("curve", is: key.kind.suffix)
        try test.expect("canonical", is: key.canonicalText)
        if key.kind == .k1 { try test.expect("legacy", is: key.legacyText) }
        let binary = try test.hex("binary")
        try test.expect("binary", binary == key.packed)
        let read = try test.attempt("binary") { try PublicKey(packed: binary) }
        try test.expect("binary", read == key)
    }

    static func signature(_ test: VectorTest) throws(VectorFailure) {
        let text = try test.text("text")
        let signature = try test.attempt("text") { try Signature(text) }
        guard test.isValid else { return }
        let binary = try test.hex("binary")
        try test.expect("binary", binary == signature.packed)
        let read = try test.attempt("binary") { try Signature(packed: binary) }
        try test.expect("text", read.text == text)
    }
}

extension SecureBytes {
    /// True if these bytes equal a published text.
    fileprivate borrowing func holds(_ text: String) throws(VectorFailure) -> Bool {
        do { return isEqual(to: try SecureBytes(copyingPublic: text.utf8)) } catch {
            throw .refused("memory")
        }
    }
}
