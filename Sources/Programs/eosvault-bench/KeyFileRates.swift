import ArgumentParser
import CYardstick
import KeyVault
import Keys
import SecureMemory

/// Compares the program with C code that does the indispensable part: it derives each key, and
/// inserts it.
enum KeyFileRates {
    private static let keyCount = 5_000

    /// `import --lines`. The program also decodes and seals each key, and records it.
    /// - Returns: nil where there is no `eosvault` in the folder of this program.
    static func importLines(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try folder()
        var (vaults, files) = (0, 0)
        return try Rate.compare(name, with: "derive, insert in C", rounds: 3) {
            vaults += 1
            return try run(program, in: folder, vault: "vault\(vaults).db")
        } yardstick: {
            files += 1
            return try derive(in: folder, files)
        }
    }

    /// `check`, which decrypts each key and verifies all rows.
    /// - Returns: nil where there is no `eosvault` in the folder of this program.
    static func check(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try folder()
        _ = try run(program, in: folder, vault: "vault.db")
        var round = 0
        return try Rate.compare(name, with: "derive, insert in C", rounds: 3) {
            try program.run(
                ["check"] + options(folder, "vault.db"), input: "/dev/null", output: "\(folder.path)/result")
                / Double(keyCount)
        } yardstick: {
            round += 1
            return try derive(in: folder, round)
        }
    }

    private static func run(
        _ program: ReleaseProgram, in folder: borrowing TemporaryFolder, vault: String
    ) throws -> Double {
        do { _ = try folder.makeVault(vault, createdAt: 1_700_000_000) }
        return try program.run(
            ["import", "--lines", "\(folder.path)/lines"] + options(folder, vault), input: "/dev/null",
            output: "\(folder.path)/result") / Double(keyCount)
    }

    private static func options(_ folder: borrowing TemporaryFolder, _ vault: String) -> [String] {
        ["--vault", "\(folder.path)/\(vault)", "--pin-file", "\(folder.path)/pin"]
    }

    private static func derive(in folder: borrowing TemporaryFolder, _ round: Int) throws -> Double {
        let path = "\(folder.path)/rows\(round).db"
        return try Stopwatch.time {
            guard unsafe yardstick_derive_rows(path, keyCount) == 0 else { throw ExitCode.failure }
        } / Double(keyCount)
    }

    /// A folder with the files `lines` and `pin`.
    private static func folder() throws -> TemporaryFolder {
        let folder = try TemporaryFolder()
        try folder.write(Array(TemporaryFolder.pin.utf8), to: "pin")
        try folder.write(lines(keyCount), to: "lines")
        return folder
    }

    /// New keys, one on each line.
    static func lines(_ count: Int) throws -> [UInt8] {
        var lines: [UInt8] = []
        for _ in 0..<count { try append(PrivateKey.generate(.k1), to: &lines) }
        return lines
    }

    static func append(_ key: borrowing PrivateKey, to lines: inout [UInt8]) throws {
        guard let text = try key.exportPlaintextWIF() else { throw ExitCode.failure }
        text.withBytes { text in for offset in 0..<text.byteCount { lines.append(text[byte: offset]) } }
        lines.append(UInt8(ascii: "\n"))
    }
}
