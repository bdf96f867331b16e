import Codecs
import Keys
import OtherWallets
import SecureMemory

/// Wallet files of other programs. The first byte selects the input: a file of keosd, the decrypted
/// contents of a format, a file without encryption, a text that is refused before its password is
/// used, the recognition. The keys of a file are unique, are lent as they are listed, and are the
/// same in a file of keosd that has them.
public enum OtherWalletLaw: Law {
    public static let name = "OtherWallet"

    private static let password = Array("hand made shared".utf8)

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let folder = "Vectors/imports"
        let files = try ["keosd", "cleos-create-key", "eosc", "anchor", "scatter"].flatMap { name in
            try Vectors.files(in: "\(folder)/\(name)").filter { $0.count < 4096 }
        }
        let plain = [
            #"{"keys":["5KazVKXx1LrxRRxHz7hytAeEhmqLcc25DavFrE83hFBFhu2rzF7","PVT_R1_PLACE_HOLDER"]}"#,
            """
            [{"key":"5KazVKXx1LrxRRxHz7hytAeEhmqLcc25DavFrE83hFBFhu2rzF7",\
            "pubkey":"EOS6YkQrmX18jTFXKmUfAcLqEnb1NFDsWvsxPU3U6VK1s9au7GkPX"}]
            """,
            """
            {"keychain":{"keypairs":[{"name":"a","privateKey":"","external":{"addressIndex":3},"publicKeys":\
            [{"blockchain":"eos","key":"EOS6YkQrmX18jTFXKmUfAcLqEnb1NFDsWvsxPU3U6VK1s9au7GkPX"}]}],\
            "accounts":[{"name":"alice","authority":"active","publicKey":"EOS"}]}}
            """,
        ].map { Array($0.utf8) }
        let key = try PrivateKey.parse(
            try SecureBytes(copyingPublic: "5KazVKXx1LrxRRxHz7hytAeEhmqLcc25DavFrE83hFBFhu2rzF7".utf8))
        let scalar = key.withScalar { scalar in (0..<scalar.byteCount).map { scalar[byte: $0] } }
        let list = [1, 0] + key.publicKey.body + [0] + scalar
        return files.flatMap { file in [0, 5, 7].map { [$0] + file } }
            + zip([2, 3, 4] as [UInt8], plain).map { [$0] + $1 } + [[1] + list, [1, 0], [1, 1]]
            + ["SEC_K1_y2C8BJA6xQDAMNEuVPocGJeN23pYR2mbcbmMtDvbdm14pKi3v7Ha4Jrg", "SEC_WA_1"].map {
                [6] + $0.utf8
            }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let kind = input.first, let file = try? SecureBytes(copyingPublic: Array(input.dropFirst())),
            let password = try? SecureBytes(copyingPublic: password)
        else { return }
        switch kind {
        case 0: try check(try? WalletFile.read(file, as: .keosd, password: password))
        case 1: try check(try? WalletFile.readContents(file, as: .keosd, password: password))
        case 2: try check(try? WalletFile.readContents(file, as: .eosc, password: password))
        case 3: try check(try? WalletFile.readContents(file, as: .anchor, password: password))
        case 4: try check(try? WalletFile.readContents(file, as: .scatter, password: password))
        case 5: try check(try? WalletFile.read(file, as: .cleosCreateKey, password: nil))
        case 6:
            // A password of no words is refused before the key derivation.
            guard let none = try? SecureBytes(count: 0) else { return }
            try check(try? WalletFile.read(file, as: .anchorCertificate, password: none))
        default: _ = WalletFormat.recognise(file)
        }
    }

    private static func check(_ wallet: consuming WalletFile?) throws(LawBroken) {
        guard let wallet else { return }
        let keys = wallet.summary.keys.map(\.publicKey)
        try law(Set(keys).count == keys.count, "each key is listed once")
        try law(keys.count <= WalletFile.maximumKeyCount, "the number of keys is limited")
        let watched = wallet.summary.watchOnly.map(\.publicKey)
        try law(Set(watched).isDisjoint(with: keys), "a key with a private key is not only watched")
        let again = try must("the keys are written and read again") {
            var writer = try KeosdWriter(capacity: keys.count)
            var lent: [PublicKey] = []
            try wallet.forEachKey { publicKey, _, key in
                lent.append(publicKey)
                try law(key.publicKey == publicKey, "the lent key is the listed one")
                try writer.add(key)
            }
            try law(lent == keys, "the keys are lent in the order of the list")
            let password = try SecureBytes(copyingPublic: password)
            let file = try SecureBytes(copyingPublic: try writer.write(password: password))
            return try WalletFile.read(file, as: .keosd, password: password)
        }
        let sorted = keys.sorted { $0.packed.lexicographicallyPrecedes($1.packed) }
        try law(again.summary.keys.map(\.publicKey) == sorted, "keosd's file has the same keys, sorted")
    }
}
