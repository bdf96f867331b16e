import TestSupport
import Testing
import WalletAPI

/// The states of a connection, with a clock that the tests set.
struct WalletConnectionTests {
    private static let request = "POST /v1/wallet/list_wallets HTTP/1.1\r\nContent-Length: 0\r\n\r\n"
    private static let open =
        "POST /v1/wallet/open HTTP/1.1\r\nContent-Length: 9\r\n\r\n\"default\""

    /// A connection whose requests are answered by a test.
    private final class Client {
        var connection = WalletConnection()
        /// The texts that were taken.
        var received = ""
        var now: Double = 1_000

        // An expectation can't read a noncopyable value.
        var isReading: Bool { connection.isReading }
        var isIdle: Bool { connection.isIdle }
        var isEnding: Bool { connection.isEnding }
        var isClosed: Bool { connection.isClosed }
        var deadline: Double? { connection.deadline }
        var output: [UInt8] { connection.output }

        /// - Returns: true if a request is complete, and the number of bytes that were used.
        @discardableResult
        func send(_ text: String) -> (isRequest: Bool, used: Int) {
            let bytes = Array(text.utf8)
            var used = 0
            switch connection.receive(bytes.span.bytes, used: &used, at: now) {
            case .none: return (false, used)
            case .request: return (true, used)
            }
        }

        func answer() { connection.answer(WalletAnswer.done, at: now) }

        /// Takes bytes of the output.
        func take(_ count: Int = .max) {
            let bytes = connection.output.prefix(count)
            received += String(decoding: bytes, as: UTF8.self)
            connection.sent(bytes.count, at: now)
        }

        func wait(_ seconds: Double) {
            now += seconds
            connection.expire(at: now)
        }

        var statuses: [Int] { get throws { try HTTPAnswer.all(in: Array(received.utf8)).map(\.status) } }
    }

    // MARK: - one request at a time

    @Test func requestsAreAnsweredInTheirOrder() throws {
        let client = Client()
        let (isRequest, used) = client.send(Self.request + Self.open)
        #expect(isRequest && used == Self.request.utf8.count)
        // Nothing is read before the answer was taken.
        #expect(!client.isReading && client.deadline == nil)
        #expect(client.send(Self.open) == (false, 0))
        client.answer()
        client.take(10)
        #expect(!client.isReading && client.send(Self.open) == (false, 0))
        client.take()
        #expect(client.isReading && client.isIdle)
        #expect(client.send(Self.open).isRequest)
        client.answer()
        client.take()
        #expect(try client.statuses == [200, 200])
    }

    @Test func onlyOneAnswerIsGiven() throws {
        let client = Client()
        client.answer()
        #expect(client.output.isEmpty)
        client.send(Self.request)
        client.answer()
        client.answer()
        client.take()
        #expect(try client.statuses == [200])
    }

    @Test func aClientIsToldToSendTheBody() throws {
        let client = Client()
        let head = "POST /v1/wallet/open HTTP/1.1\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n"
        #expect(!client.send(head).isRequest)
        client.take()
        #expect(client.received == "HTTP/1.1 100 Continue\r\n\r\n")
        #expect(client.isReading)
        #expect(client.send("\"default\"").isRequest)
    }

    // MARK: - the end

    @Test func aConnectionEndsAfterTheAnswer() throws {
        for text in [
            Self.request.replacing("\r\n\r\n", with: "\r\nConnection: close\r\n\r\n"), "hello\r\n\r\n",
            "POST /v1/keosd/stop HTTP/1.1\r\n\r\n",
        ] {
            let client = Client()
            client.send(text)
            client.answer()
            client.take()
            #expect(client.isEnding && !client.isClosed)
            #expect(client.received.contains("Connection: close\r\n"))
            // What follows is dropped, so that the client gets the answer.
            #expect(client.send(Self.request) == (false, Self.request.utf8.count))
            client.connection.end(at: client.now)
            #expect(client.isClosed)
        }
    }

    @Test func aClientThatKeepsAnEndedConnectionIsClosed() {
        let client = Client()
        client.send("hello\r\n\r\n")
        client.take()
        client.wait(1.9)
        #expect(!client.isClosed)
        client.wait(0.2)
        #expect(client.isClosed)
    }

    /// A half-closed connection gets its answer.
    @Test func aHalfClosedConnectionIsAnswered() throws {
        let client = Client()
        client.send(Self.request)
        client.connection.end(at: client.now)
        #expect(!client.isClosed)
        client.answer()
        client.take()
        #expect(try client.statuses == [200])
        #expect(client.received.contains("Connection: close\r\n") && client.isClosed)
    }

    /// A connection without a request, or with a part of one, is no error.
    @Test(arguments: ["", "POST /v1/wal", String(open.dropLast())]) func anEndWithoutARequest(_ text: String)
    {
        let client = Client()
        client.send(text)
        client.connection.end(at: client.now)
        #expect(client.isClosed && client.output.isEmpty)
    }

    /// A client can go at any time.
    @Test func nothingIsSentToAClosedConnection() {
        let client = Client()
        client.send(Self.request)
        client.connection.close()
        client.answer()
        #expect(client.isClosed && client.output.isEmpty)
        #expect(client.send(Self.request) == (false, 0))
        client.wait(1_000)
        client.connection.end(at: client.now)
        #expect(client.isClosed && client.output.isEmpty)
    }

    // MARK: - slow clients

    @Test func anIdleConnectionStaysOpen() {
        let client = Client()
        client.wait(1_000_000)
        #expect(client.isIdle && client.deadline == nil)
    }

    /// The time of a header starts with its first byte; further bytes do not extend it.
    @Test func aHeaderHasTenSeconds() throws {
        let client = Client()
        client.wait(60)
        for byte in Self.request.utf8.prefix(9) {
            client.send(String(UnicodeScalar(byte)))
            client.wait(1)
        }
        #expect(client.output.isEmpty)
        client.wait(1)
        client.take()
        #expect(try client.statuses == [408])
        #expect(client.isEnding)
    }

    @Test func aBodyHasThirtySeconds() throws {
        let client = Client()
        client.send("POST /v1/wallet/open HTTP/1.1\r\n")
        client.wait(9)
        client.send("Content-Length: 9\r\n\r\n")
        for _ in 0..<7 {
            client.send("a")
            client.wait(4)
        }
        #expect(client.output.isEmpty)
        client.wait(2)
        client.take()
        #expect(try client.statuses == [408])
    }

    /// The answer of a question may take any time.
    @Test func anAnswerHasNoLimit() throws {
        let client = Client()
        client.send(Self.request)
        client.wait(1_000_000)
        client.answer()
        client.take()
        #expect(try client.statuses == [200])
    }

    @Test func anAnswerIsTakenInThirtySeconds() {
        let client = Client()
        client.send(Self.request)
        client.answer()
        client.wait(29)
        client.take(1)
        #expect(!client.isClosed)
        client.wait(1)
        #expect(client.isClosed && client.output.isEmpty)
    }
}
