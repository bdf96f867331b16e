import Codecs
import Keys
import OtherWallets
import SecureMemory
import TestSupport
import Testing

@Suite struct KeosdWriterTests {
    private static let samples = Result {
        try Sample.all("keosd/manifest.json").filter { $0.result == "valid" }
    }

    /// The key and the IV come from the password, so keosd's files have one form.
    @Test func filesAreThoseOfKeosd() throws {
        for sample in try Self.samples.get() {
            let written = try Self.write(
                sample.publicKeys.reversed().map { sample.keys[$0] ?? "" }, password: sample.password ?? "")
            #expect(written == sample.file, "\(sample)")
        }
    }

    @Test func repetitionsAreWrittenOnce() throws {
        let sample = try #require(try Self.samples.get().first { $0.id == "one-k1" })
        let key = try #require(sample.keys.values.first)
        #expect(try Self.write([key, key], password: sample.password ?? "", capacity: 1) == sample.file)
    }

    @Test func manyKeysAreReadAgain() throws {
        var writer = try KeosdWriter(capacity: 300)
        var expected: Set<PublicKey> = []
        for index in 0..<300 {
            let key = try PrivateKey.generate(index.isMultiple(of: 3) ? .r1 : .k1)
            expected.insert(key.publicKey)
            try writer.add(key)
        }
        let password = try SecureBytes(copyingPublic: Array("all of them".utf8))
        let file = try SecureBytes(copyingPublic: try writer.write(password: password))
        let wallet = try WalletFile.read(file, as: .keosd, password: password)
        let keys = wallet.summary.keys.map(\.publicKey)
        #expect(Set(keys) == expected)
        #expect(
            zip(keys, keys.dropFirst()).allSatisfy { $0.packed.lexicographicallyPrecedes($1.packed) })
        var lent = 0
        try wallet.forEachKey { publicKey, label, key in
            lent += 1
            if publicKey != key.publicKey || label != nil { Issue.record("another key") }
        }
        #expect(lent == 300)
    }

    @Test func capacityIsALimit() throws {
        #expect(throws: WalletError.limit(.keyCount)) {
            _ = try KeosdWriter(capacity: WalletFile.maximumKeyCount + 1)
        }
        var writer = try KeosdWriter(capacity: 1)
        try writer.add(try PrivateKey.generate(.k1))
        var refusal: WalletError?
        do { try writer.add(try PrivateKey.generate(.k1)) } catch { refusal = error as? WalletError }
        #expect(refusal == .limit(.keyCount))
    }

    private static func write(
        _ keys: [String], password: String, capacity: Int? = nil
    ) throws -> [UInt8] {
        var writer = try KeosdWriter(capacity: capacity ?? keys.count)
        for key in keys {
            try writer.add(try PrivateKey.parse(try SecureBytes(copyingPublic: Array(key.utf8))))
        }
        return try writer.write(password: try SecureBytes(copyingPublic: Array(password.utf8)))
    }
}
