import EOSVault
import Glibc

/// A wallet that reads commands, and locks its vault after a pause.
///
///     wallet VAULT SECONDS
///     import FILE               imports the private key in a file
///     keys                      lists the keys
///     sign FILE CHAIN OUTPUT    shows a transaction, asks, signs it
@main
final class Wallet {
    let vault: Vault
    /// How long the vault stays unlocked without a command.
    let pause: Double
    private var unlocked: UnlockedVault?
    private var lastUse = Wallet.now()

    static func main() {
        guard CommandLine.arguments.count == 3, let pause = Double(CommandLine.arguments[2]) else {
            fail("usage: wallet VAULT SECONDS")
        }
        do {
            try Vault.hardenProcess()
            let path = CommandLine.arguments[1]
            if access(path, F_OK) != 0 { try Vault.create(at: path, unlockedBy: askPIN()) }
            try Wallet(vault: Vault(path: path), pause: pause).run()
        } catch { fail(error.message) }
    }

    init(vault: Vault, pause: Double) {
        self.vault = vault
        self.pause = pause
    }

    func run() {
        while let line = readCommand() {
            do throws(EOSError) { try perform(line.split(separator: " ").map(String.init)) } catch {
                print("error: \(error.message)")
                if !error.nextStep.isEmpty { print("hint: \(error.nextStep)") }
            }
        }
    }

    private func perform(_ words: [String]) throws(EOSError) {
        switch (words.first, words.count) {
        case ("keys", 1): for key in try vault.keys() { print(key.publicKey, key.label ?? "") }
        case ("import", 2):
            let file = open(words[1], O_RDONLY | O_CLOEXEC)
            defer { close(file) }
            let secret = try Secret(readingFrom: file)
            try unlock()
            if let key = try unlocked?.importKey(secret) { print("imported", key.publicKey) }
        case ("sign", 4): try sign(words[1], for: ChainID(words[2]), to: words[3])
        default: print("error: no such command")
        }
    }

    private func sign(_ path: String, for chain: ChainID, to output: String) throws(EOSError) {
        let review = try vault.review(Transaction(reading: contents(of: path)), for: chain)
        print("chain \(review.chain), signed by \(review.keys.map(\.publicKey))")
        for action in review.actions {
            print("\(action.place): \(action.action.account)::\(action.action.name)")
            print("  authorized by \(action.action.authorization)")
            print("  " + (action.fields ?? "not decoded"))
            if let inner = action.inner { print("  the inner transaction has the id \(inner.id)") }
        }
        for payment in review.payments {
            let when = payment.execution == .proposed ? ", when the proposal is approved" : ""
            print("\(payment.kind): \(payment.payer) pays \(payment.quantity) to \(payment.recipient)" + when)
        }
        for warning in review.warnings {
            print("warning: \(warning.place.map { $0 + ": " } ?? "")\(warning.message)")
        }
        if let seconds = review.clockStep {
            print("the clock is \(seconds) s after the vault's last record: is the date right?")
        }
        print("sign? ", terminator: "")
        guard readCommand() == "yes" else { return print("not signed") }
        // Each danger is typed by its subject.
        let accepted = review.dangers.filter { danger in
            print("type \(danger.subject) to accept \(danger.code): ", terminator: "")
            return readCommand() == danger.subject
        }
        let request = try review.accepted(by: .person(accepting: accepted))
        try unlock()
        guard let signed = try unlocked?.sign(request) else { return }
        guard let file = fopen(output, "wxe") else { return print("error: \(output) can't be written") }
        fputs(signed.packedJSON + "\n", file)
        print(fclose(file) == 0 ? "signed \(signed.id)" : "error: \(output) is incomplete")
    }

    /// Asks for the PIN, unless the vault is unlocked and was used a short time ago.
    private func unlock() throws(EOSError) {
        if Self.now() - lastUse > pause { unlocked = nil }
        if unlocked == nil { unlocked = try vault.unlock(askPIN()) }
        lastUse = Self.now()
    }

    private func readCommand() -> String? {
        print("> ", terminator: "")
        fflush(nil)
        // Not `readLine`: its buffer would take the PIN that follows in a pipe.
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while read(STDIN_FILENO, &byte, 1) == 1 {
            if byte == UInt8(ascii: "\n") { return String(decoding: line, as: UTF8.self) }
            line.append(byte)
        }
        return nil
    }

    private static func now() -> Double {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

func contents(of path: String) -> [UInt8] {
    guard let file = fopen(path, "re") else { return [] }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 1 << 20)
    let count = fread(&bytes, 1, bytes.count, file)
    return Array(bytes.prefix(count))
}

func fail(_ message: String) -> Never {
    let line = Array("wallet: \(message)\n".utf8)
    write(STDERR_FILENO, line, line.count)
    exit(1)
}
