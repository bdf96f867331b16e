import Glibc
import TestSupport
import Testing

/// A vault with one key, for questions at a terminal.
struct AnswerFixture {
    static let pin = "a passphrase of several words"
    static let newPIN = "another passphrase of several words"
    static let cheap = ["--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]
    static let vault = ".local/share/eosvault/vault.db"
    static let other = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    static let asksAgain = "The answer was pasted, or more input followed it."
    private static let wif = "5KhnWA9uNDqAB75aiJ9wMp3d83xcuunpUmjKNtkmnAMnkvBRW3J"

    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let key = "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"
        let authority = #"{"threshold":1,"keys":[{"key":"\#(key)","weight":1}],"accounts":[],"waits":[]}"#
        let files = [
            "pin": Self.pin, "new-pin": Self.newPIN, "wif": Self.wif,
            "token.abi": #"{"version":"eosio::abi/1.2"}"#,
            "transfer.json": Self.transaction(
                "eosio.token", "transfer", #"{"from":"alice","to":"bob","quantity":"1.0000 EOS","memo":""}"#),
            "owner.json": Self.transaction(
                "eosio", "updateauth",
                #"{"account":"alice","permission":"owner","parent":"","auth":\#(authority)}"#),
            "policy.json":
                #"{"version":1,"chains":["eos"],"rules":[{"contract":"eosio.token","action":"transfer"}]}"#,
        ]
        for (name, text) in files { try Files.write(Array(text.utf8), to: folder.path + "/" + name) }
        chmod(folder.path + "/wif", 0o600)
        try run(["init", "--pin-file", "pin"] + Self.cheap)
        try run(["import", "wif", "--label", "alice", "--pin-file", "pin"])
    }

    private static func transaction(_ account: String, _ action: String, _ data: String) -> String {
        #"{"expiration":"2100-01-01T00:00:00","ref_block_num":1,"ref_block_prefix":1,"actions":["#
            + #"{"account":"\#(account)","name":"\#(action)","authorization":[{"actor":"alice","#
            + #""permission":"\#(action == "transfer" ? "active" : "owner")"}],"data":\#(data)}]}"#
    }

    /// Runs a command that asks nothing.
    func run(_ arguments: [String]) throws {
        let job = try start(arguments)
        let report = try job.next()
        try #require(report.event == .exited(0), "\(arguments): \(job.screen)")
    }

    /// Starts a command with its messages on the terminal.
    func start(_ arguments: [String], terminal: String = "xterm") throws -> Job {
        try Job(
            arguments, environment: ["HOME": folder.path, "LANG": "C.UTF-8", "TERM": terminal],
            directory: folder.path, shell: #"exec "$@" 2>/dev/tty"#)
    }

    func exists(_ name: String) -> Bool { access(folder.path + "/" + name, F_OK) == 0 }
}
