import ArgumentParser
import JSON
import Shell
import WalletAPI

/// Prints what the agent does.
struct ClientStatus: ClientCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "status", abstract: "Print whether the vault is unlocked, and how long.",
        discussion: """
            The exit status is 0 while the vault is unlocked, and 1 while it is locked. It is 69 if no agent answers.

              eosvault-agent status
              eosvault-agent status --json
            """)

    @OptionGroup var agent: ClientSocketOption
    @OptionGroup var common: CommonOptions

    func run() throws {
        var connection = try connection()
        let answer = try connection.call(.agentStatus)
        let json = (["socket": .string(socketPath)] as JSONValue).adding(answer)
        try self.json.report(Self.text(json), json: json)
        if answer["locked"]?.isTrue != false { throw ExitStatus.failed }
    }

    private static func text(_ status: JSONValue) -> String {
        let left = status["seconds_left"]?.number.flatMap { Int64($0) }
        let rows = [
            ("socket", status["socket"]?.string), ("vault", status["vault"]?.string),
            ("state", left.map { "unlocked, for \(ClientWords.time($0)) without use" } ?? "locked"),
            ("keys", status["keys"]?.number), ("confirm", status["confirm"]?.string),
            ("waiting", status["waiting"]?.number), ("version", status["version"]?.string),
        ]
        return rows.compactMap { name, value in
            value.map { "\((name + "       ").prefix(8)) \(Printable.line($0))\n" }
        }.joined()
    }
}

/// Locks the vault.
struct ClientLock: ClientCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "lock", abstract: "Lock the vault of the agent, and wipe its keys.",
        discussion: """
            When the command ends, the keys are no longer in memory. A signature that runs is finished first, which \
            takes less than 50 ms. Requests that wait for an answer are refused.

              eosvault-agent lock
            """)

    @OptionGroup var agent: ClientSocketOption
    @OptionGroup var common: CommonOptions

    func run() throws {
        var connection = try connection()
        _ = try connection.call(.lockAll)
        try json.print("locked", json: ["locked": .boolean(true)])
    }
}

/// Ends the agent.
struct ClientStop: ClientCommand, JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "stop", abstract: "Lock the vault, and end the agent.",
        discussion: "  eosvault-agent stop")

    @OptionGroup var agent: ClientSocketOption
    @OptionGroup var common: CommonOptions

    func run() throws {
        var connection = try connection()
        _ = try connection.call(.stop)
        try json.print("stopped", json: ["stopped": .boolean(true)])
    }
}

enum ClientWords {
    static let signedAlready = "every requested key has already signed; the agent added no signature"

    /// A time for people: `14 min 3 s`.
    static func time(_ seconds: Int64) -> String {
        let (minutes, rest) = (seconds / 60, seconds % 60)
        if minutes == 0 { return "\(rest) s" }
        return rest == 0 ? "\(minutes) min" : "\(minutes) min \(rest) s"
    }
}

extension JSONValue {
    /// Nil if it is no boolean.
    var isTrue: Bool? { if case .boolean(let value) = self { value } else { nil } }
}
