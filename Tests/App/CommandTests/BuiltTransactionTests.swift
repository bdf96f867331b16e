import JSON
import TestSupport
import Testing

/// `build` makes the transactions that cleos makes (Vectors/built-transactions.json).
struct BuiltTransactionTests {
    private static let tests = Result {
        try JSONValue.parse(repositoryFile("Vectors/built-transactions.json"))["tests"]?.array ?? []
    }

    @Test func equalsThatOfCleos() throws {
        let tests = try Self.tests.get()
        #expect(tests.count > 20)
        for test in tests {
            let expected = try #require(test["transaction"])
            let made = try JSONValue.parse(Self.run(test))
            for member in try #require(expected.object) {
                #expect(
                    made[member.key]?.text() == member.value.text(),
                    "\(member.key) of test \(test["id"]?.text() ?? "")"
                )
            }
            #expect(made["signatures"]?.text() == "[]")
            #expect(made["context_free_data"]?.text() == "[]")
            #expect(made["chain_id"]?.string == test["chain_id"]?.string)
        }
    }

    /// The output of `build` for a test.
    private static func run(_ test: JSONValue) throws -> [UInt8] {
        let folder = try TemporaryFolder()
        for file in test["files"]?.object ?? [] {
            try Files.write(Array(file.value.text().utf8), to: "\(folder.path)/\(file.key)")
        }
        let words = try #require(test["arguments"]?.array).compactMap(\.string)
        let expiration = try #require(test["transaction"]?["expiration"]?.string)
        let (chain, block) = (try #require(test["chain_id"]?.string), try #require(test["block_id"]?.string))
        let child = try Child(
            path: BuiltProgram.path,
            arguments: ["build"] + words + ["--chain", chain, "--block-id", block, "--expires", expiration],
            environment: [:], directory: folder.path)
        let result = try child.run()
        let error = String(decoding: result.error, as: UTF8.self)
        #expect(result.status == 0, "\(words): \(error)")
        return result.output
    }
}
