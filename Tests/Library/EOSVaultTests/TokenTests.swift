import EOSVault
import Glibc
import TestSupport
import Testing

/// Keys in the tokens of SoftHSM, as an app uses them.
@Suite struct TokenTests {
    private let folder: TemporaryFolder
    private let module: String

    /// A vault with one key in a token, and one of its own.
    init() throws {
        folder = try TemporaryFolder()
        module = try Self.run(
            "find /usr/lib -name libsofthsm2.so | head -n 1", in: folder.path
        ).filter { $0 != "\n" }
        let program = try BuiltProgram.path
        _ = try Self.run(
            """
            umask 077; mkdir tokens; echo "directories.tokendir = $PWD/tokens" > softhsm2.conf
            export HOME=$PWD SOFTHSM2_CONF=$PWD/softhsm2.conf XDG_STATE_HOME=$PWD/state
            echo 'a PIN for tests' > pin; echo 654321 > token-pin
            softhsm2-util --init-token --free --label treasury --so-pin 12345678 --pin 654321
            eosvault() { "\(program)" "$@" --vault vault.db --pin-file pin; }
            eosvault init --kdf-passes 1 --kdf-memory 8KiB --insecure-kdf
            eosvault create --token pkcs11:token=treasury --module "\(module)" --label token \\
                --token-pin-file token-pin
            eosvault create --label own
            """, in: folder.path)
    }

    @discardableResult
    private static func run(_ script: String, in folder: String) throws -> String {
        let (text, status) = try SystemProgram.run(["sh", "-ec", script], in: folder)
        try #require(status == 0, "\(text)")
        return text
    }

    /// Not inherited: a program that keeps the other end open would hide that its reader ended.
    private static func pipe() throws -> [Int32] {
        var ends: [Int32] = [-1, -1]
        try #require(Glibc.pipe(&ends) == 0)
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        return ends
    }

    /// The pipes to a new `eosvault-token`.
    private func startProgram(_ arguments: [String] = []) throws -> (request: Int32, answer: Int32) {
        let (input, output) = (try Self.pipe(), try Self.pipe())
        let configuration = "SOFTHSM2_CONF=\(folder.path)/softhsm2.conf"
        let program = try BuiltProgram.folder + "/eosvault-token"
        // In a process that is not a child of the tests: an exit test waits for any child.
        let process = try SystemProgram.start(
            [configuration, "setsid", "--fork", program] + arguments, input[0], output[1], output[1])
        var status: Int32 = 0
        try #require(waitpid(process, &status, 0) == process && status == 0)
        close(input[0])
        close(output[1])
        return (input[1], output[0])
    }

    private func review(_ vault: Vault) throws -> AcceptedReview {
        let transaction = try Transaction(reading: repositoryFile("Vectors/examples/transfer.json"))
        return try vault.review(transaction, for: ChainID("eos"), keys: ["token", "own"])
            .accepted(by: .person(accepting: []))
    }

    @Test func signs() throws {
        let vault = try Vault(path: folder.path + "/vault.db", stateFolder: folder.path + "/state")
        let unlocked = try vault.unlock(.pin(Secret(text: "a PIN for tests")))
        // Both can be of one second, and are then in the order of their texts.
        let keys = try unlocked.keys()
        #expect(Set(keys.map(\.label)) == ["token", "own"])
        let wanted = ["token", "own"].map { label in keys.first { $0.label == label }?.publicKey }
        let accepted = try review(vault)
        do {
            _ = try unlocked.sign(accepted)
            Issue.record("signed without the token")
        } catch { #expect(error.code.rawValue == "no-token") }

        let ends = try startProgram()
        try unlocked.openTokens(request: ends.request, answer: ends.answer, pin: Secret(text: "654321"))
        for _ in 0..<3 {
            let signed = try unlocked.sign(review(vault))
            #expect(signed.signatures.count == 2)
            #expect(try signed.signers(for: ChainID("eos")) == wanted)
        }
    }

    @Test func refusesWhatIsWrong() throws {
        let vault = try Vault(path: folder.path + "/vault.db", stateFolder: folder.path + "/state")
        let unlocked = try vault.unlock(.pin(Secret(text: "a PIN for tests")))
        func code(_ ends: (request: Int32, answer: Int32), _ pin: String) -> String? {
            do {
                try unlocked.openTokens(request: ends.request, answer: ends.answer, pin: Secret(text: pin))
                return nil
            } catch { return (error as? EOSError)?.code.rawValue }
        }
        #expect(code(try startProgram(), "wrong1") == "wrong-token-pin")
        #expect(code(try startProgram(["--wrong"]), "654321") == "token-program")
        let (input, output) = (try Self.pipe(), try Self.pipe())
        close(output[1])
        #expect(code((input[1], output[0]), "654321") == "token-program")
        // The library closed its end: after the request, nothing follows.
        var bytes = [UInt8](repeating: 0, count: 4096)
        #expect(read(input[0], &bytes, bytes.count) > 0)
        #expect(read(input[0], &bytes, bytes.count) == 0)
        close(input[0])
        #expect(code(try startProgram(), "654321") == nil)
    }
}
