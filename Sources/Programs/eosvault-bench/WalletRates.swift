import ArgumentParser
import Files
import KeyVault
import Keys
import OtherWallets
import SecureMemory

/// Compares the program, `eosvault import --from keosd`, with `eosvault import --lines` of the same
/// keys. A wallet file must be decrypted, and each of its keys compared with its public key.
enum WalletRates {
    private static let keyCount = 5_000

    /// Returns nil where there is no `eosvault` in the folder of this program.
    static func keosd(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try TemporaryFolder()
        var wallet = try KeosdWriter(capacity: keyCount)
        var lines: [UInt8] = []
        for _ in 0..<keyCount {
            let key = try PrivateKey.generate(.k1)
            try wallet.add(key)
            try KeyFileRates.append(key, to: &lines)
        }
        let password = try SecureBytes(copyingPublic: TemporaryFolder.pin.utf8)
        try folder.write(wallet.write(password: password), to: "wallet")
        try folder.write(lines, to: "lines")
        try folder.write(Array(TemporaryFolder.pin.utf8), to: "pin")
        var round = 0
        func run(_ arguments: [String]) throws -> Double {
            round += 1
            let vault = "vault\(round).db"
            do { _ = try folder.makeVault(vault, createdAt: 1_700_000_000) }
            return try program.run(
                ["import"] + arguments + [
                    "--vault", "\(folder.path)/\(vault)", "--pin-file", "\(folder.path)/pin",
                ],
                input: "/dev/null", output: "\(folder.path)/result") / Double(keyCount)
        }
        return try Rate.compare(name, with: "import --lines", rounds: 5) {
            try run(["--from", "keosd", "\(folder.path)/wallet", "--password-file", "\(folder.path)/pin"])
        } yardstick: {
            try run(["--lines", "\(folder.path)/lines"])
        }
    }
}
