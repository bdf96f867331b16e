import JSON
import TestSupport
import Testing

/// The review and an evaluator in Python that follows the sources of nodeos judge random
/// authorities alike: who can act, after which delay, and which parts never count.
struct RandomAuthorityTests {
    private static let count = Search.pick(short: 1_500, long: 10_000)

    @Test func equalsPython() throws {
        var random = RandomAuthority(seed: 30)
        var lines: [JSONValue] = []
        while lines.count < Self.count { lines += try random.lines() }
        let folder = try TemporaryFolder()
        let path = folder.path + "/cases"
        try Files.write(Array(lines.map { $0.text() + "\n" }.joined().utf8), to: path)
        let output = try SystemProgram.python([
            "Tests/Signing/AuthorityReference/evaluator.py", "check", path,
        ])
        #expect(output.text == "checked \(lines.count)\n")
        #expect(output.status == 0)
        Search.report("authorities: \(output.text.dropLast())")
        // Each kind of verdict occurs.
        let said = lines.compactMap { $0["said"] }
        for (name, values) in Self.kinds {
            for value in values {
                let found = said.count { $0[name]?.text() == value }
                #expect(found >= 10, "\(name) \(value)")
            }
        }
    }

    private static let kinds: KeyValuePairs<String, [String]> = [
        "refused": ["true", "false"], "unreachable": ["true", "false"], "lockout": ["true", "false"],
        "can_sign": ["true", "false"], "open": ["null", "60", "3888000"], "others": ["null", "0", "3888000"],
        "keys": ["null", "0", "60"], "accounts": ["[]", "[null]", "[0]", "[null,null]"],
    ]
}
