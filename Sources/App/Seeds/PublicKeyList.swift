import Codecs
import JSON
import KeyVault
import Keys
import Seeds
import Shell

/// The public keys of a file, one on each line, which a search compares with the keys of a seed.
struct PublicKeyList {
    static let maximumCount = 100_000
    /// The indices that are tried in each family of paths.
    static let searchedIndices = 1_000

    let keys: [PublicKey]

    /// - Throws: the error of the first line that is no public key, with the number of the line.
    init(reading file: InputFile) throws {
        keys = try placed(at: file.name) {
            let text = try file.read()
            let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            var keys: [PublicKey] = []
            for (number, line) in zip(1..., lines) {
                let line = String(decoding: line.filter { !" \t\r".utf8.contains($0) }, as: UTF8.self)
                guard !line.isEmpty else { continue }
                keys.append(
                    try placed(at: "line \(number)") {
                        try converting({ KeyRefusal(error: $0, kind: .publicKey) }, PublicKey(line))
                    })
            }
            guard !keys.isEmpty else { throw InputFile.Failure.empty }
            guard keys.count <= Self.maximumCount else {
                throw CommandError.tooManyKeys(limit: Self.maximumCount)
            }
            return keys
        }
    }

    init(_ keys: [PublicKey]) { self.keys = keys }

    /// The paths that have a key of the list, each key once.
    func search(_ seed: borrowing SeedKeys) throws -> [DerivationPath] {
        var progress = ProgressCounter(what: "searching", noun: "path")
        defer { progress.end() }
        let found = try seed.paths(of: keys, count: Self.searchedIndices) { progress.count = $0 }
        return keys.compactMap { found[$0] }
    }
}

extension SeedGroup.Restore {
    /// The result of `--find`: the keys of the list in its order.
    static func report(
        _ seed: EntryDescription, _ wanted: PublicKeyList, _ found: [VaultTransaction.FoundKey],
        _ json: JSONOption
    ) throws {
        let results = wanted.keys.map { key in (key, found.first { $0.publicKey == key }) }
        let lines = results.map { key, found in
            "\(key.text)  \(found.map { $0.path.text + ($0.isKnown ? " (in the vault before)" : "") } ?? "not found")\n"
        }
        try placed(at: "\(seed.name) is in the vault, but standard output") {
            if json.isOn {
                try Output.json(object.json((seed, results)))
            } else {
                try Output.data(lines.joined())
            }
        }
        Messages.note(Words.deriveNext(seed))
        if seed.seed?.isOnPaper == false { Messages.note(Words.wordsNotOnPaper) }
    }

    static let object = JSONObject<
        (seed: EntryDescription, keys: [(PublicKey, VaultTransaction.FoundKey?)])
    >([]).adding(EntryDescription.object) { $0.seed }.adding([
        .value(
            "keys?",
            .list(of: [
                "public_key": .text("a key of the list"),
                "path": .orNull(.text, "its path; null if not found"),
                "known": .boolean("whether the vault had it before"),
            ]), "with --find, the keys of the list"
        ) { value in
            .array(
                value.keys.map { key, found in
                    [
                        "public_key": .string(key.text), "path": .string(found?.path.text),
                        "known": .boolean(found?.isKnown ?? false),
                    ]
                })
        }
    ])
}
