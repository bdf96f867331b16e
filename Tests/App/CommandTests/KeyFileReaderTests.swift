import Files
import Keys
import Shell
import TestSupport
import Testing

@testable import App

/// The readers of files with several keys, with random changes. The values are those of
/// Tests/App/CommandTests/Scripts/import-from.txt.
struct KeyFileReaderTests {
    private static let pairs = [
        (
            "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC",
            "5KhnWA9uNDqAB75aiJ9wMp3d83xcuunpUmjKNtkmnAMnkvBRW3J"
        ),
        (
            "EOS5p78kHbL33Rn3JWkTWRE2B9uz6gy4r1KbfAKLNQGE3ovMBS5bu",
            "5HpHagT65TZzG1PH3CSu63k8DbpvD8s5ip4nEB3kEsreAnchuDf"
        ),
    ]
    private static let list =
        "[[\n    " + pairs.map { "\"\($0)\",\n    \"\($1)\"" }.joined(separator: "\n  ],[\n    ")
        + "\n  ]\n]\n"
    private static let config =
        "# keys\nplugin = eosio::chain_plugin\n"
        + pairs.map { "signature-provider = \($0)=KEY:\($1)\n" }.joined()
        + "signature-provider = \(pairs[0].0)=KEOSD:http://127.0.0.1:8900\n"

    private struct Items: Equatable {
        var keys: [String] = []
        var refusedCount = 0
        var skippedCount = 0
    }

    private static func items<Reader: KeyFileReader & ~Copyable>(
        of text: [UInt8], _ reader: (FileDescriptor) throws -> Reader
    ) throws -> Items {
        let folder = try TemporaryFolder()
        try Files.write(text, to: folder.path + "/keys")
        return try InputFile(path: folder.path + "/keys").withDescriptor { file throws(InputFile.Failure) in
            Result {
                var reader = try reader(file)
                var items = Items()
                while let item = try reader.next() {
                    #expect(reader.number > 0)
                    switch consume item {
                    case .key(let key): items.keys.append(key.key.publicKey.text)
                    case .refused: items.refusedCount += 1
                    case .skipped: items.skippedCount += 1
                    }
                }
                return items
            }
        }.get()
    }

    @Test func readsEachKey() throws {
        let names = Self.pairs.map(\.0)
        let listed = try Self.items(of: Array(Self.list.utf8)) { try KeosdListReader($0) }
        #expect(listed == Items(keys: names))
        let configured = try Self.items(of: Array(Self.config.utf8)) { try NodeosConfigReader($0) }
        #expect(configured == Items(keys: names, skippedCount: 1))
    }

    /// No change makes a reader trap, return another key, or take more of the file than it has.
    @Test(arguments: [list, config]) func readsNoOtherKey(_ text: String) throws {
        var random = SplitMix(seed: 7)
        let names = Set(Self.pairs.map(\.0))
        var (wholeCount, refusedCount) = (0, 0)
        for _ in 0..<2_000 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let index = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<4, using: &random) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(bytes[Int.random(in: 0..<bytes.count, using: &random)], at: index)
                default: bytes.removeLast(bytes.count - max(1, index))
                }
            }
            do {
                let items =
                    text == Self.list
                    ? try Self.items(of: bytes) { try KeosdListReader($0) }
                    : try Self.items(of: bytes) { try NodeosConfigReader($0) }
                #expect(names.isSuperset(of: items.keys))
                if items.refusedCount > 0 { refusedCount += 1 } else { wholeCount += 1 }
            } catch let error as CommandError {
                guard error.words.code == .importFile else { throw error }
                refusedCount += 1
            }
        }
        #expect(wholeCount > 0 && refusedCount > 0)
    }
}
