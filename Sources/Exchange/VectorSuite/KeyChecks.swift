import Codecs
import Keys
import SecureMemory

/// Checks texts of keys and signatures against their other forms.
enum KeyChecks {
    static func privateKey(_ test: VectorTest) throws(VectorFailure) {
        let text = try test.text("text")
        let key = try test.attempt("text") { try PrivateKey.parse(SecureBytes(copyingPublic: text.utf8)) }
        // An invalid test has no other fields; only parsing is tested.
        guard test.isValid else { return }
        let publicKey = key.publicKey
        try test.expect("curve", try test.text("curve") == key.curve.suffix)
        try test.expect("public_key", try test.text("public_key") == publicKey.canonicalText)
        let canonical = try test.attempt("canonical") { try key.exportPlaintext() }
        try test.expect("canonical", try canonical.holds(test.text("canonical")))
        guard key.curve == .k1 else { return }
        try test.expect("legacy_public_key", try test.text("legacy_public_key") == publicKey.legacyText)
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
        try test.expect("curve", try test.text("curve") == key.kind.suffix)
        try test.expect("canonical", try test.text("canonical") == key.canonicalText)
        if key.kind == .k1 { try test.expect("legacy", try test.text("legacy") == key.legacyText) }
        let binary = try test.hex("binary")
        try test.expect("binary", binary == key.packed)
        let read = try test.attempt("binary") { try whole(binary) { reader in try PublicKey(from: &reader) } }
        try test.expect("binary", read == key)
    }

    static func signature(_ test: VectorTest) throws(VectorFailure) {
        let text = try test.text("text")
        let signature = try test.attempt("text") { try Signature(text) }
        guard test.isValid else { return }
        let binary = try test.hex("binary")
        try test.expect("binary", binary == signature.packed)
        let read = try test.attempt("binary") { try whole(binary) { reader in try Signature(from: &reader) } }
        try test.expect("text", read.text == text)
    }

    /// A value that takes all of `bytes`.
    private static func whole<Value>(_ bytes: [UInt8], _ read: (inout ByteReader) throws -> Value) throws -> Value {
        try ByteReader.read(bytes) { reader in
            let value = try read(&reader)
            try reader.expectEnd()
            return value
        }
    }
}

extension SecureBytes {
    /// Whether these bytes are those of a published text.
    fileprivate borrowing func holds(_ text: String) throws(VectorFailure) -> Bool {
        do { return isEqual(to: try SecureBytes(copyingPublic: text.utf8)) } catch { throw .refused("memory") }
    }
}
