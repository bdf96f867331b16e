import SecureMemory
import Testing

@testable import Keys

/// Many keys are parsed in the same memory: neither an earlier key nor an error changes the result.
struct PrivateKeyReaderTests {
    private static let wif = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    private static let publicKey = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"

    private static func read(_ text: String, _ reader: inout PrivateKeyReader) throws -> PrivateKey {
        try SecureBytes(copyingPublic: text.utf8).withBytes { span in try reader.read(span) }
    }

    private static func error(_ text: String, _ reader: inout PrivateKeyReader) -> KeyTextError? {
        do {
            reader.reuse(try read(text, &reader))
            return nil
        } catch { return error as? KeyTextError }
    }

    @Test func eachLineIsReadAlone() throws {
        var reader = PrivateKeyReader()
        let other = try PrivateKey.generate(.k1)
        let text = try other.exportPlaintext().withBytes { span in
            String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
        }
        let r1 = try PrivateKey.generate(.r1)
        let r1Text = try r1.exportPlaintext().withBytes { span in
            String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self)
        }
        for _ in 0..<3 {
            for (text, expected) in [
                (Self.wif, Self.publicKey), (text, other.publicKey.text), (r1Text, r1.publicKey.text),
            ] {
                let key = try Self.read(text, &reader)
                #expect(key.publicKey.text == expected)
                reader.reuse(key)
            }
            #expect(Self.error("", &reader) == .empty)
            #expect(Self.error(String(Self.wif.dropLast()) + "4", &reader) == .checksumMismatch)
            #expect(
                Self.error(text.replacing("PVT_K1", with: "PVT_R1"), &reader)
                    == .checksumOfOtherForm(suffix: "K1"))
            #expect(
                Self.error("5" + String(repeating: "0", count: 50), &reader) == .invalidCharacter(offset: 1))
        }
    }

    /// A key that is not given back keeps its memory, and the next key gets other memory.
    @Test func keysInUseAreSeparate() throws {
        var reader = PrivateKeyReader()
        let first = try Self.read(Self.wif, &reader)
        let second = try Self.read(Self.wif, &reader)
        func address(_ key: borrowing PrivateKey) -> Int {
            key.withScalar { $0.withUnsafeBytes { Int(bitPattern: $0.baseAddress) } }
        }
        #expect(address(first) != address(second))
        let known = address(second)
        reader.reuse(second)
        let third = try Self.read(Self.wif, &reader)
        #expect(address(third) == known && third.publicKey == first.publicKey)
        reader.reuse(third)
        reader.forget()
        // A key of another origin is wiped, and its memory has no room for the next text.
        reader.reuse(try PrivateKey.generate(.k1))
        #expect(try Self.read(Self.wif, &reader).publicKey == first.publicKey)
        let signature = try first.sign(SigningDigest(sha256: [1]))
        #expect(try signature.signature.recover(SigningDigest(sha256: [1])) == first.publicKey)
    }
}
