import KeyVault
import Keys
import Messages
import SecureMemory

/// Compares the program, `eosvault sign --lines`, with checked signatures of as many digests in
/// this process. The program also reads and reviews each line twice and records each signature.
enum BatchRates {
    private static let lineCount = 20_000

    /// Returns nil where there is no `eosvault` in the folder of this program.
    static func sign(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try TemporaryFolder()
        let key = try CurveRates.key()
        try folder.makeVault(createdAt: 1_700_000_000).insert(key, label: nil, createdAt: 1_700_000_000)
        try folder.write(Array(TemporaryFolder.pin.utf8), to: "pin")
        try folder.write((1...lineCount).flatMap { Array(line($0).utf8) }, to: "lines")
        let digests = try CurveRates.digests(lineCount)
        return try Rate.compare(name, with: "sign, checked", rounds: 5) {
            try folder.sign(["--lines", folder.path + "/lines"], with: program) / Double(lineCount)
        } yardstick: {
            try Stopwatch.time { for digest in digests { _ = try key.sign(digest) } } / Double(lineCount)
        }
    }

    /// A transfer to one of 676 accounts.
    private static func line(_ number: Int) -> String {
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        let data = String(decoding: TransferRates.text(amount: number), as: UTF8.self)
            .replacing("bob.exchange", with: "user" + letters[number % 26] + letters[number / 26 % 26])
        return TransferRates.transaction(data) + "\n"
    }
}
