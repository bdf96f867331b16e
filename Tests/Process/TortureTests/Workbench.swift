import Codecs
import Glibc
import Keys
import TestSupport

@testable import KeyVault

/// A folder with a vault on which the program runs, and the expected state of the vault.
final class Workbench {
    let folder: TemporaryFolder
    let program: Program
    var vault: String { folder.path + "/data/vault.db" }
    private var saved: [String: [String: [UInt8]]] = [:]

    static let smallestCost = ["--kdf-passes", "1", "--kdf-memory", "8KiB", "--insecure-kdf"]

    init(lacking lack: Lack = []) throws {
        folder = try TemporaryFolder()
        program = Program(folder: folder.path, lack: lack)
        for name in ["state"] + Self.folders { mkdir(folder.path + "/" + name, 0o700) }
        try Files.write(Array(TrialVault.oldPIN.utf8), to: folder.path + "/old")
        try Files.write(Array(TrialVault.newPIN.utf8), to: folder.path + "/new")
        try Files.write(Array(Self.transfer.utf8), to: folder.path + "/transfer.json")
        for number in 1...200 {
            try Files.write(Array(Self.text(of: number).utf8), to: folder.path + "/key-\(number)")
        }
    }

    /// The folders that a command writes to: the vault's folder and the program's state folder.
    private static let folders = ["data", "state/eosvault"]

    func run(_ arguments: [String], input: String = "", death: Program.Death = .never) throws -> Program.Run {
        try program.run(arguments + ["--vault", "data/vault.db"], input: input, death: death)
    }

    /// Runs a command that must succeed.
    @discardableResult
    func done(_ arguments: [String], input: String = "") throws -> String {
        let run = try run(arguments, input: input)
        guard run.status == 0 else { throw Refused(arguments: arguments, error: run.error) }
        return run.output
    }

    struct Refused: Error {
        let arguments: [String]
        let error: String
    }

    /// Creates a vault with the keys of these numbers.
    func make(keys: ClosedRange<UInt8>) throws {
        try done(["init", "--pin-file", "old"] + Self.smallestCost)
        for number in keys {
            try done(["import", "key-\(number)", "--label", "key \(number)", "--pin-file", "old"])
        }
    }

    static let credential = "exchange"
    static let url = "https://api.bitbank.cc/v1/user/assets"

    /// Later than the clock, so that each request must increase the last nonce by one.
    static let firstNonce: UInt64 = 4_000_000_000_000_000_000

    /// Adds a credential whose requests have nonces.
    func addCredential(firstNonce: UInt64 = firstNonce) throws {
        try Files.write(Array("hoge".utf8), to: folder.path + "/secret")
        try done([
            "credential", "add", Self.credential, "--profile", "bitbank", "--key-id", "key-1",
            "--first-nonce",
            "\(firstNonce)", "--secret-file", "secret", "--pin-file", "old",
        ])
    }

    func save() throws {
        for name in Self.folders {
            saved[name] = [:]
            for file in Files.names(in: folder.path + "/" + name) {
                saved[name]?[file] = try? Files.read(folder.path + "/" + name + "/" + file)
            }
        }
    }

    func restore() throws {
        for (name, contents) in saved {
            for file in Files.names(in: folder.path + "/" + name) where contents[file] == nil {
                unlink(folder.path + "/" + name + "/" + file)
            }
            for (file, bytes) in contents {
                try Files.write(bytes, to: folder.path + "/" + name + "/" + file)
            }
        }
    }

    var hasJournal: Bool { (try? Files.read(vault + "-journal"))?.first == 0xd9 }

    /// The private key with the scalar `number` in WIF: 0x80, 32 bytes, and four bytes of checksum.
    static func text(of number: Int) -> String {
        let bytes =
            [0x80] + [UInt8](repeating: 0, count: 24)
            + (0..<8).map { UInt8(truncatingIfNeeded: number >> (56 - 8 * $0)) }
        return Base58.encode(bytes + HashFunction.sha256.hash(HashFunction.sha256.hash(bytes)).prefix(4))
    }

    private static let transfer = """
        {"expiration": "2026-12-01T00:00:00", "ref_block_num": 1000, "ref_block_prefix": 305419896, \
        "actions": [{"account": "eosio.token", \
        "name": "transfer", "authorization": [{"actor": "alice", "permission": "active"}], \
        "data": "0000000000855c340000000000000e3d102700000000000004454f53000000000568656c6c6f"}]}
        """
}

extension Workbench {
    struct State: Equatable {
        /// The file of the PIN that unlocks the vault.
        var pin = "old"
        var names: Set<String> = []
        /// The number of audit log records; the first records the creation of the vault.
        var records = 1
        /// The last nonce of the credential; nil without one.
        var lastNonce: UInt64?
    }

    static func name(of number: UInt8) throws -> String { try TrialVault.key(number).publicKey.text }

    /// Opens, unlocks and verifies the vault.
    func readState() throws -> State {
        let snapshot = try TrialVault.snapshot(at: vault)
        let pin = snapshot.pin == TrialVault.newPIN ? "new" : "old"
        return State(
            pin: pin, names: Set(snapshot.entries.map(\.name.text)), records: snapshot.events.count,
            lastNonce: snapshot.entries.compactMap(\.lastNonce).first)
    }

    /// Whether the vault is in the state before or after the command; after an acknowledgement,
    /// only the state after it is correct.
    func isConsistent(_ command: Command, _ run: Program.Run, before: State) throws -> (
        isConsistent: Bool, state: State
    ) {
        let after = try command.applied(to: before)
        let found = try readState()
        let isAcknowledged = command.isAcknowledged(by: run) || run.status == 0
        let isReleased = run.nonces.allSatisfy { $0 == found.lastNonce }
        return (isReleased && (found == after || !isAcknowledged && found == before), found)
    }
}
