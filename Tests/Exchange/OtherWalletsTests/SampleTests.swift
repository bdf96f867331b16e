import Keys
import Messages
import OtherWallets
import TestSupport
import Testing

/// Every row of the samples: exactly its keys, or a refusal for one of its reasons.
@Suite struct SampleTests {
    @Test(arguments: try Sample.all("keosd/manifest.json"))
    func keosd(sample: Sample) { check(sample, .keosd, ordered: true) }

    @Test(arguments: try Sample.all("cleos-create-key/manifest.json"))
    func cleosCreateKey(sample: Sample) { check(sample, .cleosCreateKey) }

    @Test(arguments: try Sample.all("eosc/manifest.json"))
    func eosc(sample: Sample) { check(sample, .eosc) }

    @Test(arguments: try Sample.all("anchor/sec.json"))
    func encryptedKey(sample: Sample) { check(sample, .secK1) }

    @Test(arguments: try Sample.all("anchor/backups.json"))
    func anchor(sample: Sample) { check(sample, .anchor) }

    @Test(arguments: try Sample.all("anchor/certificates.json"))
    func anchorCertificate(sample: Sample) { check(sample, .anchorCertificate) }

    @Test(arguments: try Sample.all("scatter/manifest.json"))
    func scatter(sample: Sample) { check(sample, .scatter) }

    /// - Parameter ordered: the row lists its keys in the order of the file.
    private func check(_ sample: Sample, _ format: WalletFormat, ordered: Bool = false) {
        do {
            let (summary, keys) = try sample.read(as: format)
            if !summary.refused.isEmpty {
                #expect(sample.refuse.contains(Self.lost), "\(sample)")
                return
            }
            #expect(sample.result != "invalid", "\(sample)")
            #expect(keys == sample.keys, "\(sample)")
            let listed = summary.keys.map(\.publicKey.canonicalText)
            if ordered, sample.result == "valid" {
                #expect(listed == sample.publicKeys, "\(sample)")
            } else {
                #expect(Set(listed) == Set(sample.publicKeys), "\(sample)")
            }
            #expect(summary.watchOnly.map(\.publicKey.text) == sample.watchOnly, "\(sample)")
        } catch {
            #expect(sample.result != "valid", "\(sample): \(error)")
            guard sample.result == "invalid" else { return }
            // `damaged` and `bad_private_key` are the general words for the more exact ones.
            let reasons = Set(sample.refuse.map { $0 == "wrong_passphrase" ? "wrong_password" : $0 })
            #expect(
                reasons.contains(error.reason) || Self.general[error.reason].map(reasons.contains) == true,
                "\(sample): \(error) is none of \(sample.refuse)")
            #expect(!error.words.message.isEmpty && !error.words.hint.isEmpty)
        }
    }

    private static let lost = "lost_r1_key"
    private static let general = [
        "not_json": "damaged", "missing_member": "damaged", "bad_hex": "damaged", "bad_base64": "damaged",
        "bad_checksum": "bad_private_key", "malformed": "bad_private_key",
    ]

    @Test(arguments: WalletFormat.allCases)
    func codes(format: WalletFormat) {
        #expect(WalletFormat(code: format.code) == format)
        #expect(!format.name.isEmpty)
    }
}
