import JSON
import Keys
import TestSupport
import Testing
import WalletAPI

/// The recorded requests of cleos and others, answered as keosd answered them. `Recorded` has the
/// requests, `Difference` all deliberate differences.
struct WalletReplayTests {
    /// Status, Content-Type and JSON of each answer are compared, and what happens to the
    /// connection.
    private static func check(_ row: Recorded.Row, _ served: Served, _ difference: Difference?) throws {
        let answers = try served.answers
        for answer in answers { #expect(answer.headers.contains("Content-Type: application/json"), "\(row)") }
        guard let difference else {
            let expected = row.answers
            #expect(answers.map(\.status) == expected.map(\.status), "\(row)")
            #expect(
                answers.map { $0.json?.withoutPlaces.text() }
                    == expected.map { $0.json?.withoutPlaces.text() }, "\(row)")
            if let isClosed = row.isClosed { #expect(served.isClosed == isClosed, "\(row)") }
            return
        }
        #expect(answers.count == 1, "\(row)")
        let answer = try #require(answers.first, "\(row)")
        switch difference.answer {
        case .error(let code, let message):
            #expect(answer.errorCode == code, "\(row)")
            #expect(answer.status == (code == 3_200_006 ? 400 : 500), "\(row)")
            if let message { #expect(answer.message == message, "\(row)") }
            #expect(!served.isClosed, "\(row)")
        case .status(let status, let message, let closes):
            #expect(answer.status == status && answer.errorCode == 3_200_006, "\(row)")
            #expect(answer.message == message, "\(row)")
            #expect(served.isClosed == closes, "\(row)")
        case .answer(let status, let json, let closes):
            #expect(answer.status == status && answer.body == json, "\(row)")
            #expect(served.isClosed == closes, "\(row)")
        case .transactionUnchanged:
            let body = row.request.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
            let given = try JSONValue.parse(Array(body.utf8)).array?.first
            #expect(answer.status == 201 && answer.body == given?.text(), "\(row)")
        }
    }

    /// The difference of a row; nil if there is none.
    private static func difference(of row: Recorded.Row, in table: [Difference]) -> Difference? {
        table.first { $0.rows.contains(row.name) }
    }

    /// Each row of a table exists, and occurs once.
    private static func checkTable(_ table: [Difference], _ rows: [Recorded.Row]) {
        let names = table.flatMap(\.rows)
        #expect(Set(names).count == names.count)
        #expect(Set(names).subtracting(rows.map(\.name)).isEmpty)
    }

    @Test func commandsOfCleos() throws {
        let rows = try Recorded.rows("exchanges")
        let wallet = try TestWallet(password: Recorded.password, isUnlocked: false)
        wallet.keysToCreate = [Recorded.createdKey]
        for row in rows {
            // keosd's `create` left its new wallet unlocked.
            if row.name == "10" { wallet.isUnlocked = true }
            try Self.check(
                row, Served([row.bytes], by: wallet), Self.difference(of: row, in: Difference.ofCommands))
        }
        #expect(rows.count == 79)
        Self.checkTable(Difference.ofCommands, rows)
    }

    @Test func unusualHTTP() throws {
        let rows = try Recorded.rows("http")
        var isUnlocked = true
        for row in rows {
            // It opens the wallet, which locks it.
            if row.name == "chunked request" { isUnlocked = false }
            let wallet = try TestWallet(isUnlocked: isUnlocked, keys: Array(Recorded.walletKeys.prefix(1)))
            try Self.check(
                row, Served([row.bytes], by: wallet), Self.difference(of: row, in: Difference.ofHTTP))
        }
        #expect(rows.count == 50)
        Self.checkTable(Difference.ofHTTP, rows)
    }

    /// The wallet is as it was for the recording. Two rows need a file.
    @Test func bodies() throws {
        let rows = try Recorded.rows("bodies").filter { !$0.name.hasSuffix("file removed") }
        let locked = [
            "wrong password", "keys after open", "sign after the timeout", "keys after the timeout",
        ]
        for row in rows {
            let wallet = try TestWallet(
                password: Recorded.bodyPassword,
                isUnlocked: !row.name.hasPrefix("unlock") && !locked.contains(row.name),
                keys: Recorded.walletKeys)
            wallet.digestKeys = Set(try Recorded.walletPublicKeys.map { try PublicKey($0) })
            try Self.check(
                row, Served([row.bytes], by: wallet), Self.difference(of: row, in: Difference.ofBodies))
        }
        #expect(rows.count == 104)
        Self.checkTable(Difference.ofBodies, rows)
    }
}

/// The recorded requests and answers, in `Vectors/agent/exchanges.json`.
enum Recorded {
    static let password = "PW5JjK6x2PVeSC7ALnJpsAxmkw7CjLycu9X4FZpz8CyevWNpMu65q"
    static let bodyPassword = "PW5KR5eZdhnDfgCdmou5NdJAG1VAxUtSDozvTxWKPyZHKwpHJoq5y"
    /// The key that `create_key` made.
    static let createdKey = "5JApMB8hNsY7VAoPGYcMPnaU1J2UtpeZfqPRiXNwWnzjL3px8U8"
    /// The keys of the wallet in the sections `http` and `bodies`.
    static let walletKeys = [
        "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3",
        "PVT_R1_hwrzK1E3Nn6kvAHVQWSjssfstZ1aPfLVM8AdFSbRyV2kFofkg",
    ]
    static let walletPublicKeys = [
        "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
        "PUB_R1_7JdqFqQxjbzT8TkuUnnzZsB8zd4X4eRoQqkhcjqabxicxe7xDx",
    ]

    struct Row: CustomStringConvertible {
        /// The number of the exchange, or the label.
        let name: String
        /// One character for each byte.
        let request: String
        let answers: [Served.Answer]
        /// Nil if the client closed the connection.
        let isClosed: Bool?

        var bytes: [UInt8] { Recorded.bytes(request) }
        var description: String { "\(name): \(request.prefix(300))" }
    }

    static func rows(_ section: String) throws -> [Row] {
        let file = try JSONValue.parse(repositoryFile("Vectors/agent/exchanges.json"))
        return try (file[section]?.array ?? []).map(row)
    }

    private static func row(_ value: JSONValue) throws -> Row {
        let name = value["id"]?.number ?? value["label"]?.string ?? ""
        if let path = value["path"]?.string, let body = value["body"]?.string {
            let request =
                "POST \(path) HTTP/1.1\r\nContent-Length: \(body.unicodeScalars.count)\r\n\r\n\(body)"
            let answer = Served.Answer(
                statusLine: "HTTP/1.1 \(value["status"]?.string ?? value["status"]?.number ?? "0")",
                headers: [],
                body: value["answer"]?.string ?? "")
            return Row(name: name, request: request, answers: [answer], isClosed: false)
        }
        let connection = value["connection"]?.string
        let isHalfClosed = name.contains("half close")
        return Row(
            name: name, request: value["request"]?.string ?? "",
            answers: try Served.answers(in: bytes(value["response"]?.string ?? "")),
            isClosed: isHalfClosed ? nil : connection.map { $0 == "closed by server" })
    }

    private static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}

extension JSONValue {
    /// Without the place in keosd's source, and without folders: the agent states neither.
    fileprivate var withoutPlaces: JSONValue {
        switch self {
        case .object(let members):
            .object(
                members.map { member in
                    switch member.key {
                    case "file", "method": JSONMember(member.key, .string(""))
                    case "line_number": JSONMember(member.key, .number(0))
                    case "message": JSONMember(member.key, .string(member.value.string?.withoutFolder))
                    default: JSONMember(member.key, member.value.withoutPlaces)
                    }
                })
        case .array(let elements): .array(elements.map(\.withoutPlaces))
        default: self
        }
    }
}

extension String {
    fileprivate var withoutFolder: String {
        replacing(/\/run\/keosd-x+\//, with: "").replacing("default.wallet", with: "default")
    }
}
