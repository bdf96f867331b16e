import App
import Files
import Glibc
import JSON
import Shell
import Signing
import Transactions
import WalletAPI

/// Signs lines as they come. Each connection has one line in flight, and the agent signs the lines
/// that wait at once.
struct SignStream {
    static let connectionCount = 64
    /// The most lines that are read and not printed: a line waits for the ones before it.
    private static let windowSize = 256
    /// The number of lines whose ids are compared.
    private static let idLimit = 1_000_000

    private struct Entry {
        let line: Int
        let id: JSONValue?
        /// Nil until the answer is there.
        var result: Result<SignedAnswer, any Error>?
    }

    /// A line that was sent.
    private struct Flight {
        let line: Int
        let given: GivenTransaction
    }

    private let order: OrderTemplate
    private let contracts: ContractABIs
    private var connections: [(connection: AgentConnection, flight: Flight?)]
    private var lines = LineQueue(limit: LineBlocks.maximumLineSize)
    private var lineCount = 0
    /// The lines that are not printed, in order.
    private var entries: [Entry] = []
    private var ids = BatchIDs()
    private var idCount = 0
    private var output: SignedLines
    private var hasSigned = false
    private var isInputOver = false

    init(
        _ connections: [AgentConnection], _ order: OrderTemplate, _ contracts: ContractABIs,
        printsPacked: Bool
    ) {
        self.connections = connections.map { ($0, nil) }
        (self.order, self.contracts) = (order, contracts)
        output = SignedLines(printsPacked: printsPacked)
    }

    /// Signs until the input ends, and prints all answers.
    /// - Throws: `ExitStatus` if a line was refused; `linesNotSent` if the agent ended.
    mutating func run(reading input: FileDescriptor) throws {
        while true {
            send()
            try print()
            if entries.isEmpty, isInputOver || connections.isEmpty { break }
            try wait(for: input)
        }
        guard lineCount > 0 || !isInputOver else { throw InputFile.Failure.empty }
        if connections.isEmpty, !isInputOver || lines.next() != nil {
            throw ClientError.linesNotSent(after: lineCount)
        }
        if let status = output.status(hasSigned: hasSigned) { throw status }
    }

    // MARK: waiting

    private var hasRoom: Bool {
        entries.count < Self.windowSize && connections.contains { $0.flight == nil }
    }

    /// Waits until an answer or a part of the input is there.
    private mutating func wait(for input: FileDescriptor) throws {
        let wantsInput = !isInputOver && hasRoom
        var waited = [pollfd(fd: wantsInput ? input.number : -1, events: Int16(POLLIN), revents: 0)]
        waited += connections.map {
            pollfd(fd: $0.connection.socket.number, events: Int16(POLLIN), revents: 0)
        }
        guard unsafe poll(&waited, nfds_t(waited.count), -1) >= 0 || errno == EINTR else {
            throw ClientError.io(errno: errno)
        }
        for index in connections.indices.reversed() where waited[index + 1].revents != 0 { receive(index) }
        if waited[0].revents != 0 { try read(input) }
    }

    private mutating func read(_ input: FileDescriptor) throws {
        var buffer = [UInt8](repeating: 0, count: 256 << 10)
        let count: Int
        do {
            count = try buffer.withMutableRawSpan { span throws(FileError) in
                try input.read(into: &span, in: 0..<span.byteCount)
            }
        } catch { throw InputFile.Failure.unreadable(errno: error.number) }
        if count == 0 {
            isInputOver = true
            lines.end()
        } else {
            lines.add(buffer[..<count])
        }
    }

    // MARK: sending

    /// Sends complete lines while a connection is free.
    private mutating func send() {
        while hasRoom, let line = lines.next() {
            lineCount += 1
            var entry = Entry(line: lineCount, id: nil, result: nil)
            do throws(InputFile.Failure) {
                try send(line, &entry)
            } catch { entry.result = .failure(error) }
            entries.append(entry)
        }
    }

    private mutating func send(_ line: LineQueue.Line, _ entry: inout Entry) throws(InputFile.Failure) {
        guard case .text(let text) = line else { throw .tooLong(limit: LineBlocks.maximumLineSize) }
        guard !text.isEmpty else { throw .empty }
        do {
            let parsed = try BatchLine(text)
            entry = Entry(line: entry.line, id: parsed.id, result: nil)
            try expectNew(parsed.id, line: entry.line)
            let given = try GivenTransaction(parsed.transaction, contracts)
            let body = order.body(for: given.text)
            guard body.count <= RequestHead.BodyKind.plain.maximumLength else {
                throw InputFile.Failure.tooLong(limit: LineBlocks.maximumLineSize)
            }
            try send(body, Flight(line: entry.line, given: given))
        } catch { entry.result = .failure(error) }
    }

    private mutating func expectNew(_ id: JSONValue?, line: Int) throws(ClientError) {
        guard let id else { return }
        if idCount == Self.idLimit { (ids, idCount) = (BatchIDs(), 0) }
        if let first = ids.add(id, line: line) { throw .idTwice(line: line, first: first) }
        idCount += 1
    }

    private mutating func send(_ body: [UInt8], _ flight: Flight) throws(ClientError) {
        guard let free = connections.firstIndex(where: { $0.flight == nil }) else { throw .closed }
        do throws(ClientError) {
            try connections[free].connection.send(.agentSign, body)
            connections[free].flight = flight
        } catch {
            remove(free)
            throw error
        }
    }

    // MARK: answers

    private mutating func receive(_ index: Int) {
        do throws(ClientError) {
            guard let answer = try connections[index].connection.receive() else { return }
            guard let flight = connections[index].flight else { throw .wrongAnswer }
            connections[index].flight = nil
            end(flight, Self.result(answer, flight, order))
            if answer.closes { remove(index) }
        } catch {
            if let flight = connections[index].flight { end(flight, .failure(error)) }
            remove(index)
        }
    }

    private static func result(
        _ answer: ReceivedAnswer, _ flight: Flight, _ order: OrderTemplate
    ) -> Result<SignedAnswer, any Error> {
        Result { try SignedAnswer(AgentConnection.value(answer), to: flight.given, order) }
    }

    private mutating func end(_ flight: Flight, _ result: Result<SignedAnswer, any Error>) {
        guard let index = entries.firstIndex(where: { $0.line == flight.line }) else { return }
        entries[index].result = result
    }

    private mutating func remove(_ index: Int) {
        connections[index].connection.close()
        connections.remove(at: index)
    }

    // MARK: output

    /// Prints the answers whose earlier lines are printed. A signal waits until the lines are
    /// complete.
    private mutating func print() throws {
        var isSigned = false
        var count = 0
        for entry in entries {
            guard let result = entry.result else { break }
            output.begin(line: entry.line, entry.id)
            switch result {
            case .success(let signed):
                output.end(signed.transaction, already: signed.wasSignedBefore)
                isSigned = isSigned || signed.isNew
            case .failure(let error): output.end(error)
            }
            count += 1
        }
        guard count > 0 else { return }
        entries.removeFirst(count)
        hasSigned = hasSigned || isSigned
        try HeldSignals.during {
            try delivering(isSigned ? .signatures : nil, to: nil) { try output.print() }
        }
    }
}
