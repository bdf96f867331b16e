import ArgumentParser
import CYardstick
import KeyVault
import Keys
import Messages
import SecureMemory

/// Compares the program, `eosvault sign --lines`, with C code that signs as many digests, recovers
/// and compares each key, and inserts a row for each signature. The program also reads and reviews
/// each line, records it in the audit log, and prints it.
enum BatchRates {
    private static let lineCount = 4_000

    /// Returns nil where there is no `eosvault` in the folder of this program.
    static func sign(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try folder()
        let key = try CurveRates.key()
        let (point, digests) = (key.publicKey.body, try CurveRates.digests(lineCount).flatMap(\.bytes))
        var round = 0
        return try Rate.compare(name, with: "sign, recover, compare, insert in C", rounds: 5) {
            try folder.sign(["--lines", folder.path + "/lines"], with: program) / Double(lineCount)
        } yardstick: {
            round += 1
            let path = "\(folder.path)/rows\(round).db"
            return try Stopwatch.time {
                guard unsafe yardstick_sign_rows(path, CurveRates.scalar, point, digests, lineCount) == 0
                else {
                    throw ExitCode.failure
                }
            } / Double(lineCount)
        }
    }

    /// Compares a key that has a policy of 100 rules with a key without one.
    /// - Returns: nil where there is no `eosvault` in the folder of this program.
    static func signWithPolicy(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try folder()
        try PolicyRates.makeLimited(in: folder, allowing: #"{"pattern":"user[a-z]*"}"#)
        func run(_ vault: String) throws -> Double {
            try folder.sign(["--lines", folder.path + "/lines"], with: program, vault: vault)
                / Double(lineCount)
        }
        return try Rate.compare(name, with: "sign --lines", rounds: 3) {
            try run("limited.db")
        } yardstick: {
            try run("vault.db")
        }
    }

    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.makeVault(createdAt: 1_700_000_000).insert(
            CurveRates.key(), label: nil, createdAt: 1_700_000_000)
        try folder.write(Array(TemporaryFolder.pin.utf8), to: "pin")
        try folder.write((1...lineCount).flatMap { Array(line($0).utf8) }, to: "lines")
        return folder
    }

    /// A transfer to one of 676 accounts.
    private static func line(_ number: Int) -> String {
        let letters = "abcdefghijklmnopqrstuvwxyz".map(String.init)
        let data = String(decoding: TransferRates.text(amount: number), as: UTF8.self)
            .replacing("bob.exchange", with: "user" + letters[number % 26] + letters[number / 26 % 26])
        return TransferRates.transaction(data) + "\n"
    }
}
