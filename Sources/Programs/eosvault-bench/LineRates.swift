import ArgumentParser
import Codecs

/// Compares the program, `eosvault abi encode --lines`, with the codec in this process on the same
/// lines.
enum LineRates {
    private static let lineCount = 100_000

    /// Returns nil where there is no `eosvault` in the folder of this program.
    static func encode(_ name: String) throws -> Rate? {
        guard let program = ReleaseProgram(for: name) else { return nil }
        let folder = try TemporaryFolder()
        let texts = (1...lineCount).map { TransferRates.text(amount: $0) }
        try folder.write(Array(TransferRates.abi.utf8), to: "abi.json")
        try folder.write(Array(texts.joined(separator: "\n".utf8)), to: "lines")
        let type = try TransferRates.type()
        var writer = ByteWriter()
        return try Rate.compare(name, with: "the codec in this process", rounds: 9) {
            try program.run(
                ["abi", "encode", "--abi", folder.path + "/abi.json", "transfer", "--lines"],
                input: folder.path + "/lines", output: folder.path + "/result") / Double(lineCount)
        } yardstick: {
            try Stopwatch.time { for text in texts { try TransferRates.encode(type, text, into: &writer) } }
                / Double(lineCount)
        }
    }
}
