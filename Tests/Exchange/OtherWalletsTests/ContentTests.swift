import Codecs
import JSON
import Keys
import OtherWallets
import SecureMemory
import TestSupport
import Testing

/// Labels, devices and other chains, and the limits of a file.
@Suite struct ContentTests {
    private static func sample(_ path: String, _ id: String) throws -> Sample {
        try #require(try Sample.all(path).first { $0.id == id })
    }

    @Test func anchorNamesAccounts() throws {
        let summary = try Self.sample("anchor/backups.json", "ledger").read(as: .anchor).summary
        #expect(summary.keys.map(\.label) == ["anchortest11@active"])
        #expect(summary.watchOnly.map(\.path) == ["44'/194'/0'/0/0"])
    }

    @Test func scatterNamesAccounts() throws {
        let summary = try Self.sample("scatter/manifest.json", "ledger").read(as: .scatter).summary
        #expect(summary.keys.map(\.label) == ["scatter11ab@active"])
        #expect(summary.watchOnly.map(\.path) == ["44'/194'/0'/0/3"])
    }

    @Test(arguments: [
        ("scatter/manifest.json", "duplicate", WalletFormat.scatter),
        ("eosc/manifest.json", "duplicate", .eosc),
        ("keosd/manifest.json", "duplicate", .keosd), ("anchor/backups.json", "v1-same-key", .anchor),
    ])
    func repetitionsAreCounted(path: String, id: String, format: WalletFormat) throws {
        let summary = try Self.sample(path, id).read(as: format).summary
        #expect(summary.keys.count == 1)
        #expect(summary.repeated == 1)
    }

    @Test func lostKeyIsListed() throws {
        let summary = try Self.sample("eosc/manifest.json", "r1-placeholder").read(as: .eosc).summary
        #expect(summary.refused.map(\.reason) == [.lostR1Key])
        #expect(summary.refused.map(\.position) == [2])
        #expect(summary.keys.count == 1)
    }

    @Test func keysOfOtherChainsAreCounted() throws {
        let contents = """
            {"keychain":{"keypairs":[{"name":"a","privateKey":"x","publicKeys":[{"blockchain":"trx","key":"T"}]},\
            {"name":"b","privateKey":"x","publicKeys":[]}]}}
            """
        let wallet = try Self.contents(contents, as: .scatter)
        #expect(wallet.summary.foreignCount == 2)
        #expect(wallet.summary.keys.isEmpty)
    }

    @Test(arguments: [
        (
            #"{"keys":["5KazVKXx1LrxRRxHz7hytAeEhmqLcc25DavFrE83hFBFhu2rzF7"],"keys":[]}"#, WalletFormat.eosc,
            WalletError.contents(.eosc, .notJSON)
        ),
        (#"{"keys":[]} "x""#, .eosc, .contents(.eosc, .notJSON)),
        (#"{"keys":{}}"#, .eosc, .contents(.eosc, .wrongMember("keys"))),
        ("[]", .eosc, .contents(.eosc, .notJSON)),
        ("[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[", .eosc, .contents(.eosc, .notJSON)),
        (
            #"[{"key":"5KazVKXx1LrxRRxHz7hytAeEhmqLcc25DavFrE83hFBFhu2rzF7"}]"#, .anchor,
            .wrongPassword(.anchor)
        ),
        ("{}", .scatter, .contents(.scatter, .missingMember("keychain"))),
        (#"{"keychain":{}}"#, .scatter, .contents(.scatter, .missingMember("keypairs"))),
        (#"{"keychain":1}"#, .scatter, .contents(.scatter, .wrongMember("keychain"))),
        ("\u{1}", .keosd, .contents(.keosd, .wrongCount)),
        ("\u{1}abc", .keosd, .contents(.keosd, .wrongCount)),
    ])
    func contentsAreRefused(text: String, format: WalletFormat, error: WalletError) {
        #expect(throws: error) { _ = try Self.contents(text, as: format) }
    }

    /// 128 N r p is 512 MiB for the header 0x68, which is the highest level of EEP-8. It is 1 GiB
    /// for the next r, N and p.
    @Test(arguments: [0x6c, 0x88, 0x69] as [UInt8])
    func costIsLimited(header: UInt8) throws {
        let payload = [header] + [UInt8](repeating: 1, count: 36)
        let text = "SEC_K1_" + Base58.encode(payload + HashFunction.ripemd160.hash(payload + "K1".utf8)[..<4])
        #expect(throws: WalletError.limit(.derivation(bytes: 1 << 30))) {
            _ = try Self.file(text, as: .secK1)
        }
    }

    @Test func keyCountIsLimited() throws {
        // 60,001 entries of zeros: their number is refused first.
        var list: [UInt8] = [0xe1, 0xd4, 0x03]
        list += [UInt8](repeating: 0, count: 60_001 * 67)
        let file = try SecureBytes(copyingPublic: list)
        #expect(throws: WalletError.limit(.keyCount)) {
            _ = try WalletFile.readContents(file, as: .keosd, password: try SecureBytes(count: 0))
        }
    }

    @Test func lineEndingIsNoPartOfAText() throws {
        let sample = try Self.sample("anchor/sec.json", "made-3")
        for ending in ["\n", "\r\n"] {
            let text = String(decoding: sample.file, as: UTF8.self)
            let wallet = try Self.file(text + ending, as: .secK1, password: sample.password ?? "")
            #expect(wallet.summary.keys.map(\.publicKey.canonicalText) == sample.publicKeys)
        }
    }

    @Test func unsupportedServiceIsNamed() throws {
        let sample = try Self.sample("eosc/manifest.json", "kms-gcp")
        var refusal: WalletError?
        do throws(WalletError) { _ = try sample.read(as: .eosc) } catch { refusal = error }
        #expect(refusal == .unsupported(.wrap("kms-gcp")))
    }

    private static func contents(_ text: String, as format: WalletFormat) throws -> WalletFile {
        let file = try SecureBytes(copyingPublic: Array(text.utf8))
        return try WalletFile.readContents(file, as: format, password: try SecureBytes(count: 0))
    }

    private static func file(
        _ text: String, as format: WalletFormat, password: String = ""
    ) throws -> WalletFile {
        try WalletFile.read(
            try SecureBytes(copyingPublic: Array(text.utf8)), as: format,
            password: try SecureBytes(copyingPublic: Array(password.utf8)))
    }
}
