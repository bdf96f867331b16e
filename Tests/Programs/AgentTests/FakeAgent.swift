import CChild
import Files
import Glibc
import JSON
import Keys
import SecureMemory
import TestSupport
import Transactions
import WalletAPI

@testable import eosvault_agent

/// Plays the agent for one client command, and answers what a test wants.
final class FakeAgent {
    /// What follows a request.
    enum Reply {
        case answer(WalletAnswer)
        case bytes(String)
        /// The connection is closed.
        case close
        /// The answer follows when this number of requests has arrived; then the newest is answered
        /// first.
        case later(WalletAnswer, when: Int)
    }

    struct Result {
        let status: Int32
        let output: String
        let error: String
    }

    private final class Connection {
        let socket: Int32
        var reader = RequestReader()

        init(_ socket: Int32) { self.socket = socket }

        deinit { close(socket) }

        func send(_ bytes: [UInt8]) { _ = Glibc.write(socket, bytes, bytes.count) }
    }

    private let folder: TemporaryFolder
    private let listener: Int32
    private var connections: [Connection] = []
    private var waiting: [(Connection, WalletAnswer)] = []
    private var requestCount = 0
    /// The bodies that arrived, with their paths.
    private(set) var requests: [(call: WalletCall, body: [UInt8])] = []

    init() throws {
        folder = try TemporaryFolder()
        listener = try UnixAddress.socket(SOCK_STREAM, waits: false).number
        let address = UnixAddress(path: folder.path + "/agent.sock")
        guard address?.withPointer({ bind(listener, $0, $1) }) == 0, listen(listener, 128) == 0 else {
            throw FileFailure(path: folder.path, errno: errno)
        }
    }

    deinit { close(listener) }

    func write(_ text: String, to name: String) throws {
        try Files.write(Array(text.utf8), to: folder.path + "/" + name)
    }

    /// Runs a command of eosvault-agent in the folder until it ends.
    func run(
        _ arguments: [String], input: String = "", reply: (WalletCall, [UInt8]) throws -> Reply
    ) throws -> Result {
        let program = BuiltProgram.debugFolder + "/eosvault-agent"
        let (inputFile, output, error) = (
            child_temporary_file(), child_temporary_file(), child_temporary_file()
        )
        defer { for file in [inputFile, output, error] { close(file) } }
        _ = Glibc.write(inputFile, input, input.utf8.count)
        lseek(inputFile, 0, SEEK_SET)
        let process = withCStrings([program] + arguments + ["--socket", "agent.sock"]) { arguments in
            withCStrings(["PATH=/usr/bin:/bin", "LANG=C.UTF-8"]) {
                child_start(program, arguments, $0, folder.path, inputFile, output, error, nil, nil, 0)
            }
        }
        guard process > 0 else { throw FileFailure(path: program, errno: errno) }
        var status: Int32 = 0
        while waitpid(process, &status, WNOHANG) == 0 { try serve(reply) }
        return Result(
            status: status >> 8 & 0xff, output: String(decoding: Files.contents(of: output), as: UTF8.self),
            error: String(decoding: Files.contents(of: error), as: UTF8.self))
    }

    private func serve(_ reply: (WalletCall, [UInt8]) throws -> Reply) throws {
        var waited = ([listener] + connections.map(\.socket)).map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        // The end of the command is looked for again and again.
        poll(&waited, nfds_t(waited.count), 20)
        if waited[0].revents != 0 {
            let accepted = accept(listener, nil, nil)
            if accepted >= 0 { connections.append(Connection(accepted)) }
        }
        for (connection, waited) in zip(connections, waited.dropFirst()) where waited.revents != 0 {
            try receive(connection, reply)
        }
    }

    private static func contents(_ request: consuming ReceivedRequest) -> (WalletCall, [UInt8])? {
        guard case .call(let call) = request.head.target else { return nil }
        switch request.takeBody() {
        case .plain(let bytes): return (call, bytes)
        case .secret(let secret):
            return (call, secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } })
        case .discarded: return (call, [])
        }
    }

    private func receive(_ connection: Connection, _ reply: (WalletCall, [UInt8]) throws -> Reply) throws {
        var buffer = [UInt8](repeating: 0, count: 1 << 20)
        let count = read(connection.socket, &buffer, buffer.count)
        guard count > 0 else { return connections.removeAll { $0 === connection } }
        buffer.removeLast(buffer.count - count)
        var offset = 0
        while offset < count {
            let received: (call: WalletCall, body: [UInt8])?
            switch try connection.reader.read(buffer.span.bytes, from: &offset) {
            case .more: received = nil
            case .expectsContinue: received = nil
            case .request(let request): received = Self.contents(request)
            }
            guard let (call, body) = received else { continue }
            requests.append((call, body))
            switch try reply(call, body) {
            case .answer(let answer): connection.send(answer.bytes(to: nil, closes: false))
            case .bytes(let text): connection.send(Array(text.utf8))
            case .close: connections.removeAll { $0 === connection }
            case .later(let answer, let number):
                waiting.append((connection, answer))
                guard waiting.count == number else { continue }
                for (connection, answer) in waiting.reversed() {
                    connection.send(answer.bytes(to: nil, closes: false))
                }
                waiting = []
            }
        }
    }
}

/// Signs as an agent would.
struct FakeSigner {
    static let wif = "5KQwrPbwdL6PhXujxW37FSSQZ1JiwsST4cqQzDeyXtP79zkvFD3"
    static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
    static let otherWIF = "5JNqLXYMQUqgRLJFX9TPALvdemupJHv2igV5tebKDEuBTas64sa"

    static func transaction(_ body: [UInt8]) throws -> SignedTransaction {
        let value = try JSONValue.parse(body)["transaction"]
        let text = value?.string ?? value?.text() ?? ""
        return try SignedTransaction(reading: Array(text.utf8), abis: ContractABIs())
    }

    /// The answer to an order.
    static func answer(
        _ signed: SignedTransaction, chain: String = "eos", by wif: String = wif, stating key: String? = nil
    ) throws -> WalletAnswer {
        let chain = try ChainID(chain)
        let privateKey = try PrivateKey.parse(SecureBytes(copyingPublic: wif.utf8))
        var signed = signed
        signed.append(try privateKey.sign(signed.digest(for: chain)).signature)
        let key = try key.map { try PublicKey($0) } ?? privateKey.publicKey
        return WalletAnswer(
            SignedOrder(transaction: signed, chain: chain, keys: [key], wasSignedBefore: false))
    }
}
