import OtherWallets
import SecureMemory
import TestSupport
import Testing

@Suite struct WalletFileTests {
    @Test(arguments: WalletFormat.allCases.filter(\.needsPassword))
    func passwordIsNeeded(format: WalletFormat) throws {
        let file = try SecureBytes(copyingPublic: [1])
        #expect(throws: WalletError.passwordNeeded(format)) {
            _ = try WalletFile.read(file, as: format, password: nil)
        }
    }

    @Test(arguments: WalletFormat.allCases)
    func sizeIsLimited(format: WalletFormat) throws {
        let file = try SecureBytes(count: WalletFile.maximumFileSize + 1)
        #expect(throws: WalletError.limit(.fileSize)) {
            _ = try WalletFile.read(file, as: format, password: nil)
        }
    }

    @Test(arguments: WalletFormat.allCases)
    func emptyFile(format: WalletFormat) throws {
        let file = try SecureBytes(count: 0)
        #expect(throws: WalletError.form(format, .empty)) {
            _ = try WalletFile.read(file, as: format, password: nil)
        }
    }

    @Test(arguments: [
        ("keosd/manifest.json", WalletFormat.keosd), ("eosc/manifest.json", .eosc),
        ("anchor/backups.json", .anchor), ("anchor/sec.json", .secK1),
        ("cleos-create-key/manifest.json", .cleosCreateKey), ("scatter/manifest.json", .scatter),
    ])
    func validFilesAreRecognised(path: String, format: WalletFormat) throws {
        for sample in try Sample.all(path) where sample.result == "valid" {
            #expect(Self.recognised(sample.file) == format, "\(sample)")
        }
    }

    @Test(arguments: [
        "", "{", "{}", "[1]", "{\"a\":1}", "5KazVKXx1LrxRRxHz7hytAeEhmqLcc25DavFrE83hFBFhu2rzF7\n",
        "cipher_keys",
        "{\"cipher_key\":1}", "PVT_K1_x", " SEC_K1_", "{\"x\":{\"cipher_keys\":1}}",
    ])
    func otherFilesAreNot(text: String) throws { #expect(Self.recognised(Array(text.utf8)) == nil) }

    private static func recognised(_ file: [UInt8]) -> WalletFormat? {
        guard let file = try? SecureBytes(copyingPublic: file) else { return nil }
        return WalletFormat.recognise(file)
    }
}
