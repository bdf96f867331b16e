import CAES
import CLibraries
import Codecs
import Keys
import SecureMemory
import TestSupport

@testable import OtherWallets

/// Passwords of wallet files, and the keys that they give.
struct WalletSecrets {
    let password = VaultFixture.randomPIN()
    let wrongPassword = VaultFixture.randomPIN()
    let salt = VaultFixture.random(16)
    let nonce = VaultFixture.random(24)
}

extension Secret {
    /// The key of AES with its schedule.
    static func aes(_ name: String, _ key: [UInt8]) -> Secret {
        var schedule = CAES.aes()
        aes_expand(&schedule, key, key.count)
        let used = (key.count / 4 + 7) * Int(AES_BLOCK_BYTES)
        let bytes = withUnsafeBytes(of: schedule) { Array($0.prefix(used)) }
        return .bytes(name, key, [Form("schedule", bytes)])
    }
}

extension VaultFixture {
    /// Wallet files of other programs, each with two of the new keys, and their secrets.
    func addWallets() throws {
        func write(_ bytes: [UInt8], to name: String) throws { try Files.write(bytes, to: path + "/" + name) }
        try write(Array(wallets.password.utf8), to: "password")
        try write(Array(wallets.wrongPassword.utf8), to: "wrong-password")
        try write(keosdWallet(), to: "wallet")
        try write(Array(eoscVault().utf8), to: "eosc-vault.json")
        try write(Array((encryptedKey() + "\n").utf8), to: "sec")
        for (password, kind) in [(wallets.password, "password"), (wallets.wrongPassword, "wrong password")] {
            try table.add(.text(kind, password))
            try addKeosdSecrets(password, kind)
            try addDerivedSecrets(password, kind)
        }
    }

    /// SHA-512 of the password of a wallet of keosd: the key and the IV.
    func addKeosdSecrets(_ password: String, _ kind: String) throws {
        var hash = [UInt8](repeating: 0, count: 64)
        SHA512(Array(password.utf8), password.utf8.count, &hash)
        try table.add(.bytes("SHA-512 of the \(kind)", hash))
        try table.add(.aes("key of keosd by the \(kind)", Array(hash.prefix(32))))
    }

    /// The keys by Argon2id and scrypt.
    private func addDerivedSecrets(_ password: String, _ kind: String) throws {
        try table.add(.bytes("Argon2id of the \(kind)", argon2id(password).copied()))
        let derived = try scrypt(password).copied()
        try table.add(.bytes("scrypt of the \(kind)", derived))
        try table.add(.aes("key by scrypt of the \(kind)", Array(derived.suffix(32))))
    }

    private func key(_ number: Int) throws -> PrivateKey {
        try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: new[number]))
    }

    private func keosdWallet() throws -> [UInt8] {
        var writer = try KeosdWriter(capacity: 2)
        for number in 0..<2 { try writer.add(key(number)) }
        return try writer.write(password: SecureBytes(copyingPublic: wallets.password.utf8))
    }

    // MARK: eosc

    private func argon2id(_ password: String) throws -> SecureBytes {
        let salt = try SecureBytes(copyingPublic: wallets.salt)
        return try SecureBytes(copyingPublic: password.utf8).withBytes { password in
            try salt.withBytes { salt in
                try Derivation.argon2id(password, salt: salt, passes: 4, kibibytes: 64 << 10, lanes: 4)
            }
        }
    }

    private func eoscVault() throws -> String {
        let plain = try Array(#"{"keys":["\#(Self.wif(new[0]))","\#(Self.wif(new[1]))"]}"#.utf8)
        var box = [UInt8](repeating: 0, count: plain.count + SecretBox.tagSize)
        let key = try argon2id(wallets.password).copied()
        crypto_secretbox_easy(&box, plain, UInt64(plain.count), wallets.nonce, key)
        let text = Base64.encode(wallets.salt + wallets.nonce + box).filter { $0 != "=" }
        return """
            {"kind":"eosc-vault-wallet","version":1,"comment":"","secretbox_wrap":"passphrase",\
            "secretbox_ciphertext":"\(text)"}
            """
    }

    // MARK: SEC_K1

    /// 4 bytes of SHA-256 twice of the text of the public key.
    private func check() throws -> [UInt8] {
        let once = HashFunction.sha256.hash(Array(try key(0).publicKey.canonicalText.utf8))
        return Array(HashFunction.sha256.hash(once).prefix(4))
    }

    private func scrypt(_ password: String) throws -> SecureBytes {
        let salt = try SecureBytes(copyingPublic: check())
        return try SecureBytes(copyingPublic: password.utf8).withBytes { password in
            try salt.withBytes { salt in
                try Derivation.scrypt(
                    password, salt: salt, Derivation.ScryptCost(n: 1 << 14, r: 8, p: 1), count: 48)
            }
        }
    }

    private func encryptedKey() throws -> String {
        let scalar = try SecureBytes(copyingPublic: new[0])
        let cipher = try scrypt(wallets.password).withBytes { derived in
            let aes = try AESCipher(key: derived.extracting(16..<48))
            return scalar.withBytes { aes.encryptCBC(iv: derived.extracting(0..<16), $0) }
        }
        let payload = try [0] + check() + cipher
        let checksum = HashFunction.ripemd160.hash(payload + Array("K1".utf8)).prefix(4)
        return "SEC_K1_" + Base58.encode(payload + checksum)
    }
}
