import ABICodec
import Codecs
import Glibc
import Keys
import SecureMemory
import Synchronization
import TestSupport
import Testing
import Transactions

/// Watches the agent while clients unlock it, use it, crash and lock it: a secret may only be in
/// the guarded allocation that owns it, and nowhere after a lock.
struct AgentResidueTests {
    @Test func leavesNothing() throws {
        let fixture = try VaultFixture()
        let folder = try fixture.path
        let key = try PrivateKey(curve: .k1, scalar: SecureBytes(copyingPublic: fixture.kept[0])).publicKey
            .text
        var watch = Watch(
            arguments: [
                "serve", "--vault", "data/vault.db", "--socket", "agent.sock", "--confirm", "policy",
                "--allow-digest", key,
            ], folder: folder)
        watch.path = try BuiltProgram.path + "-agent"
        watch.heldLast = []
        // The nonces of this digest are among the secrets.
        let transfer = try SignedTransaction(
            reading: Files.read(folder + "/transfer.json"), abis: ContractABIs())
        let digest = Hex.encode(try transfer.digest(for: ChainID("eos")).bytes)
        let clients = Clients(folder + "/agent.sock", fixture, signing: "[\"\(digest)\",\"\(key)\"]")
        let thread = TestThread { clients.run() }
        let report = try watch.run(fixture.table)
        thread.join()
        #expect(clients.answers == Clients.expected)
        #expect(report.status == 0, "\(report.messages)")
        #expect(report.guarded > 0, "no secret was found in guarded memory")
        #expect(report.residues.isEmpty, "\(report.residues.prefix(12).joined(separator: "\n"))")
        Residue.report("agent: \(report.stops) stops, \(report.guarded) hits in guarded memory")
    }

    /// The clients of the agent, on a thread of their own: the watching thread steps the agent.
    private final class Clients: Sendable {
        /// The statuses of the answers; 0 for a client that did not wait.
        static let expected = [200, 500, 0, 200, 201, 201, 500, 201, 0, 200, 200, 200]

        private let path: String
        private let pin, wrongPIN, key, digest: String
        private let received = Mutex<[Int]>([])
        var answers: [Int] { received.withLock { $0 } }

        init(_ path: String, _ fixture: VaultFixture, signing digest: String) {
            (self.path, self.digest) = (path, digest)
            func escaped(_ text: String) -> String {
                text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            }
            (pin, wrongPIN) = (escaped(fixture.pin), escaped(fixture.wrongPIN))
            key = (try? VaultFixture.wif(fixture.new[0])) ?? ""
        }

        func run() {
            while access(path, F_OK) != 0 { usleep(1_000) }
            let calls: [(path: String, body: String, waits: Bool)] = [
                ("wallet/list_wallets", "", true),
                ("wallet/unlock", #"["default","\#(wrongPIN)"]"#, true),
                // A client that crashes in the middle of its PIN.
                ("wallet/unlock", #"["default","\#(pin)"#, false),
                ("wallet/unlock", #"["default","\#(pin)"]"#, true),
                ("wallet/sign_digest", digest, true),
                ("wallet/import_key", #"["default","\#(key)"]"#, true),
                ("wallet/import_key", #"["default","\#(key)"]"#, true),
                ("wallet/create_key", #"["default",""]"#, true),
                ("wallet/import_key", #"["default","\#(key)"#, false),
                ("wallet/lock", #""default""#, true),
                ("wallet/unlock", #"["default","\#(pin)"]"#, true),
                ("keosd/stop", "", true),
            ]
            for call in calls {
                let status = Self.status(path, call.path, call.body, waits: call.waits)
                received.withLock { $0.append(status) }
            }
        }

        /// Sends a request that ends its connection; without waiting, one that lacks its end.
        private static func status(_ socket: String, _ path: String, _ body: String, waits: Bool) -> Int {
            let connection = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(connection) }
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: socket.utf8) }
            let size = socklen_t(MemoryLayout<sockaddr_un>.size)
            while withUnsafePointer(
                to: &address,
                {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(connection, $0, size) }
                }) != 0
            { usleep(1_000) }
            let length = body.utf8.count + (waits ? 0 : 10)
            let request = Array(
                "POST /v1/\(path) HTTP/1.1\r\nConnection: close\r\nContent-Length: \(length)\r\n\r\n\(body)"
                    .utf8
            )
            _ = send(connection, request, request.count, Int32(MSG_NOSIGNAL))
            guard waits else {
                usleep(100_000)
                return 0
            }
            var answer: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 4096)
            while true {
                let count = recv(connection, &buffer, buffer.count, 0)
                guard count > 0 else { break }
                answer += buffer[..<count]
            }
            return Int(String(decoding: answer.dropFirst(9).prefix(3), as: UTF8.self)) ?? -1
        }
    }
}
