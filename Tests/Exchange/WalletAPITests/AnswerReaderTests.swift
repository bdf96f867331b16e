import SecureMemory
import TestSupport
import Testing
import WalletAPI

/// What a client reads: answers in any parts, and nothing else.
struct AnswerReaderTests {
    private static let head = "HTTP/1.1 200 OK\r\nServer: eosvault-agent\r\nContent-Length: 2\r\n\r\n"

    private static func read(_ text: String) throws -> ReceivedAnswer? {
        var reader = AnswerReader()
        return try reader.add(Array(text.utf8)[...])
    }

    @Test func readsEachAnswerAtEverySplit() throws {
        let answer = WalletAnswer(unlockedFor: 900, keyCount: 3)
        let bytes = answer.bytes(to: nil, closes: false)
        for split in 0...bytes.count {
            var reader = AnswerReader()
            let first = try reader.add(bytes[..<split])
            let second = split < bytes.count ? try reader.add(bytes[split...]) : nil
            let read = try #require(first ?? second)
            #expect(read.status == 200 && read.body == answer.body && !read.closes)
        }
    }

    @Test func oneReaderReadsManyAnswers() throws {
        var reader = AnswerReader()
        for body in ["{}", "[]"] {
            let answer = try reader.add(Array((Self.head + body).utf8)[...])
            #expect(answer?.body == Array(body.utf8))
        }
    }

    @Test func anErrorClosesTheConnection() throws {
        let bytes = RequestFault.bodyTooLong.answer.bytes(to: nil, closes: true)
        let answer = try #require(try Self.read(String(decoding: bytes, as: UTF8.self)))
        #expect(answer.status == 413 && answer.closes && !answer.isSuccess)
    }

    @Test(arguments: [
        "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/2 200\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 20 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 100 Continue\r\n\r\n",
        "HTTP/1.1 +200 OK\r\nContent-Length: 2\r\n\r\n{}", "HTTP/1.1 200 OK\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: -2\r\n\r\n{}", "HTTP/1.1 200 OK\r\nContent-Length:\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2, 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nx\r\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\nContent-Length: 2\r\n\r\n{}",
        "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nA: \u{1}\r\n\r\n{}",
        "SSH-2.0-OpenSSH\r\n\r\n",
    ]) func otherTextIsMalformed(_ text: String) {
        #expect(throws: AnswerFault.malformed) { try Self.read(text) }
    }

    @Test func lengthsAreLimited() {
        #expect(throws: AnswerFault.headerTooLong) {
            try Self.read("HTTP/1.1 200 OK\r\nA: " + String(repeating: "a", count: 9_000))
        }
        #expect(throws: AnswerFault.bodyTooLong) {
            try Self.read("HTTP/1.1 200 OK\r\nContent-Length: 999999999\r\n\r\n")
        }
        #expect(throws: AnswerFault.excess) { try Self.read(Self.head + "{}{") }
    }

    @Test func aPartIsNoAnswer() throws {
        #expect(try Self.read(Self.head + "{") == nil)
        #expect(try Self.read("HTTP/1.1 200") == nil)
    }

    // MARK: - unlock

    /// What a client writes is what the agent reads, for each printable character and others.
    @Test func bodiesOfUnlockAreRead() throws {
        let pin = #"  "\/ aZ~ é"# + "\u{1}\u{1f}\n"
        let wallet = try TestWallet(isUnlocked: false)
        func send(_ body: borrowing SecureBytes) throws -> Int {
            let header = WalletCall.agentUnlock.header(bodyCount: body.count)
            let text = body.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
            wallet.isUnlocked = false
            return try #require(try Served([header + text], by: wallet).answers.first).status
        }
        func secret(_ text: String) throws -> SecureBytes { try SecureBytes(copyingPublic: text.utf8) }
        let file = String(repeating: "f", count: 32)
        #expect(try send(UnlockSecret.body(pin: secret(pin))) == 200)
        #expect(try send(UnlockSecret.body(pin: secret(pin), keyFile: secret(file))) == 200)
        #expect(try send(UnlockSecret.body(recovery: secret("abandon   able"))) == 200)
        #expect(
            wallet.operations == ["pin \(pin)", "pin \(pin) file \(file)", "recovery abandon   able"])
    }

    /// The longest PIN, where each byte is an escape.
    @Test func theLongestPINFits() throws {
        let pin = try SecureBytes(copyingPublic: [UInt8](repeating: 1, count: 1_024))
        let body = try UnlockSecret.body(pin: pin)
        #expect(body.count == 6 * 1_024 + 10)
        #expect(body.count <= RequestHead.BodyKind.secret.maximumLength)
    }
}
