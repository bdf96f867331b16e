import JSON

/// The recorded requests and answers, in `Vectors/agent/exchanges.json`.
public enum Recorded {
    public static let password = "PW5JjK6x2PVeSC7ALnJpsAxmkw7CjLycu9X4FZpz8CyevWNpMu65q"
    public static let bodyPassword = "PW5KR5eZdhnDfgCdmou5NdJAG1VAxUtSDozvTxWKPyZHKwpHJoq5y"
    /// The keys that `create_key` made, by the numbers of the exchanges.
    public static let createdKeys = [
        "18": "5JApMB8hNsY7VAoPGYcMPnaU1J2UtpeZfqPRiXNwWnzjL3px8U8",
        "20": "PVT_R1_269HV4yFtEs2JJeAypoVJNPK4KG5pwujnuioPqdBzBN7zRKEbG",
    ]
    /// The chain of the section `exchanges`, and that of the other sections.
    public static let chain = "8a34ec7df1b8cd06ff4a8abbaa7cc50300823350cadc59ab296cb00d104d2b8f"
    public static let mainChain = "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"
    /// The keys of the wallet in the sections `http` and `bodies`.
    public static let walletKeys = [
        "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3",
        "PVT_R1_hwrzK1E3Nn6kvAHVQWSjssfstZ1aPfLVM8AdFSbRyV2kFofkg",
    ]
    public static let walletPublicKeys = [
        "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
        "PUB_R1_7JdqFqQxjbzT8TkuUnnzZsB8zd4X4eRoQqkhcjqabxicxe7xDx",
    ]

    public struct Row: CustomStringConvertible {
        /// The number of the exchange, or the label.
        public let name: String
        /// One character for each byte.
        public let request: String
        public let answers: [HTTPAnswer]
        /// True if the server closed the connection; nil if the client did.
        public let isClosed: Bool?
        /// True if the client closed its sending side after the request. The server then closes.
        public var isHalfClosed: Bool { name.contains("half close") }

        public var bytes: [UInt8] { Recorded.bytes(request) }
        public var description: String { "\(name): \(request.prefix(300))" }
    }

    public static func rows(_ section: String) throws -> [Row] {
        let file = try JSONValue.parse(repositoryFile("Vectors/agent/exchanges.json"))
        return try (file[section]?.array ?? []).map(row)
    }

    private static func row(_ value: JSONValue) throws -> Row {
        let name = value["id"]?.number ?? value["label"]?.string ?? ""
        if let path = value["path"]?.string, let body = value["body"]?.string {
            let request =
                "POST \(path) HTTP/1.1\r\nContent-Length: \(body.unicodeScalars.count)\r\n\r\n\(body)"
            let answer = HTTPAnswer(
                statusLine: "HTTP/1.1 \(value["status"]?.string ?? value["status"]?.number ?? "0")",
                body: value["answer"]?.string ?? "")
            return Row(name: name, request: request, answers: [answer], isClosed: false)
        }
        let connection = value["connection"]?.string
        return Row(
            name: name, request: value["request"]?.string ?? "",
            answers: try HTTPAnswer.all(in: bytes(value["response"]?.string ?? "")),
            isClosed: connection.map { $0 == "closed by server" })
    }

    private static func bytes(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }
}

extension Recorded.Row {
    /// Compares status, Content-Type and JSON of each answer, and what happens to the connection.
    /// - Parameters:
    ///   - isClosed: true if the connection was closed after the answers.
    ///   - difference: nil if the answers are those of keosd.
    /// - Returns: what is not as expected; nil if everything is.
    public func fault(in found: [HTTPAnswer], isClosed: Bool, _ difference: Difference?) -> String? {
        guard found.allSatisfy({ $0.headers.contains("Content-Type: application/json") }) else {
            return "\(self): Content-Type"
        }
        let isExpected =
            difference.map { matches($0, found, isClosed: isClosed) }
            ?? (found.map(\.status) == answers.map(\.status)
                && found.map { $0.json?.withoutPlaces.text() }
                    == answers.map { $0.json?.withoutPlaces.text() }
                && (isHalfClosed || self.isClosed ?? isClosed == isClosed))
        return isExpected
            ? nil : "\(self): \(found.map { "\($0.statusLine) \($0.body)" }), closed: \(isClosed)"
    }

    private func matches(_ difference: Difference, _ found: [HTTPAnswer], isClosed: Bool) -> Bool {
        guard found.count == 1, let answer = found.first else { return false }
        switch difference.answer {
        case .error(let code, let message):
            return answer.errorCode == code && answer.status == (code == 3_200_006 ? 400 : 500)
                && message.map { answer.message == $0 } ?? true && !isClosed
        case .status(let status, let message, let closes):
            return answer.status == status && answer.errorCode == 3_200_006 && answer.message == message
                && isClosed == closes
        case .answer(let status, let json, let closes):
            return answer.status == status && answer.body == json && isClosed == closes
        case .otherR1Nonces:
            return answer.status == 201 && !isClosed
                && answer.body.withoutR1Signatures == answers.first?.body.withoutR1Signatures
                && answer.body != answers.first?.body
        case .transactionUnchanged:
            let body = request.split(separator: "\r\n\r\n", maxSplits: 1).last ?? ""
            let given = (try? JSONValue.parse(Array(body.utf8)))?.array?.first
            return answer.status == 201 && answer.body == given?.text()
        }
    }
}

extension [Difference] {
    /// The difference of a row; nil if there is none.
    public func of(_ row: Recorded.Row) -> Difference? { first { $0.rows.contains(row.name) } }
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
    fileprivate var withoutR1Signatures: String {
        replacing(/SIG_R1_[1-9A-HJ-NP-Za-km-z]{94}/, with: "SIG_R1")
    }

    fileprivate var withoutFolder: String {
        replacing(/\/run\/keosd-x+\//, with: "").replacing("default.wallet", with: "default")
    }
}
