import ABICodec
import TestSupport
import Testing

@testable import Policy

/// The program and an evaluator in Python judge random transactions by random policies alike.
struct RandomPolicyTests {
    private static let evaluator = "Tests/Signing/PolicyReference/evaluator.py"

    @Test(arguments: 0..<Search.pick(short: 1, long: 4)) func equalsPython(part: Int) throws {
        var random = RandomPolicy(seed: UInt64(part) + 17)
        let folder = try TemporaryFolder()
        let path = folder.path + "/cases"
        var text = ""
        var members: [String: Int] = [:]
        for _ in 0..<5_000 {
            let (line, member) = try random.line()
            text += line + "\n"
            members[member, default: 0] += 1
        }
        try Files.write(Array(text.utf8), to: path)
        let output = try SystemProgram.python([Self.evaluator, "check", path])
        #expect(output.text == "checked 5000\n")
        #expect(output.status == 0)
        // Each kind of verdict occurs.
        for member in Self.members {
            #expect(members[member, default: 0] >= 5, "\(member) in \(members.sorted { $0.key < $1.key })")
        }
        Search.report(
            "policies, part \(part): \(output.text.dropLast()), \(members["allowed", default: 0]) allowed")
    }

    @Test func fullRoomsEqualPython() throws {
        var random = RandomPolicy(seed: 5)
        let folder = try TemporaryFolder()
        let count = Search.pick(short: 500, long: 2_000)
        let cases = try (0..<count).map { _ in try random.fullRoom() }
        try Files.write(Array(cases.map { $0.text + "\n" }.joined().utf8), to: folder.path + "/cases")
        let output = try SystemProgram.python([Self.evaluator, "check", folder.path + "/cases"])
        #expect(output.text == "checked \(count)\n")
        let members = Dictionary(grouping: cases.map(\.member)) { $0 }.mapValues(\.count)
        for member in ["allowed", "/limits", "/limits/count", "/limits/amount"] {
            #expect(members[member, default: 0] > 20, "\(members)")
        }
    }

    /// A new policy without a looser difference allows nothing that the old one denies.
    @Test func looserPoliciesAreReported() throws {
        var random = RandomPolicy(seed: 3)
        var (tighter, denied) = (0, 0)
        for _ in 0..<Search.pick(short: 2_000, long: 8_000) {
            let (old, new, request, history) = try random.change()
            guard !old.differences(to: new).contains(where: \.isLooser), old != new else { continue }
            tighter += 1
            let now = request.expiration.seconds
            switch (
                old.evaluate(request, uses: old.uses(after: history), clock: now, last: nil, restored: nil),
                new.evaluate(request, uses: new.uses(after: history), clock: now, last: nil, restored: nil)
            ) {
            case (.denied(let denial), .allowed): Issue.record("\(denial)\n\(old.text)\n\(new.text)")
            case (.allowed(let before), .allowed(let after)):
                #expect(before.confirmations.allSatisfy(after.confirmations.contains))
            case (.allowed, .denied): denied += 1
            case (.denied, .denied): break
            }
        }
        #expect(tighter > Search.pick(short: 125, long: 500))
        #expect(denied > Search.pick(short: 12, long: 50))
        Search.report("policies: \(tighter) changes that are not looser, \(denied) denied what was allowed")
    }

    /// The members that deny, without numbers and pointers.
    private static let members = [
        "allowed", "/chains", "/identity", "/transaction/max_expiration_seconds", "/transaction/max_actions",
        "/transaction/hours", "/transaction/cosigner/first", "/transaction/context_free_actions", "/rules",
        "/rules/authorization", "/rules/equals", "/rules/one_of", "/rules/prefix", "/rules/pattern",
        "/rules/min",
        "/rules/max", "/rules/unknown_proposal", "/rules/given_abi", "/amounts", "/limits/amount",
        "/limits/count",
        "/limits/unreadable", "/limits/precision", "/rules/owner",
    ]
}

extension KeyPolicy {
    fileprivate var text: String { String(decoding: canonical, as: UTF8.self) }
}
