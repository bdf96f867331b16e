import Messages

/// The answer of a program, or the reason why there is none.
struct ConsentAnswer: Equatable, Sendable {
    enum End: UInt8, Sendable {
        case exited, killed
        /// It printed more than an answer can have.
        case tooLong
        case timedOut
        /// The program was changed since the agent started, or could not be executed.
        case notStarted
        /// Nobody waits for the answer any more.
        case withdrawn
        /// There is no process that starts the program.
        case unavailable
    }

    let end: End
    /// The exit status, or the number of the signal.
    let number: UInt8
    /// What the program printed on standard output.
    let output: [UInt8]

    init(_ end: End, number: UInt8 = 0, output: [UInt8] = []) {
        (self.end, self.number, self.output) = (end, number, output)
    }

    /// Nil unless the program ended by itself.
    var status: Int32? { end == .exited ? Int32(number) : nil }

    /// Why the program did not accept, for the client.
    var reason: String {
        switch end {
        case .exited:
            number == 0 ? "the program printed another answer" : "the program ended with status \(number)"
        case .killed: "signal \(number) ended the program"
        case .tooLong: "the program printed more than an answer"
        case .timedOut: "the program did not answer in time"
        case .notStarted: "the program could not be started"
        case .withdrawn: "the request was withdrawn"
        case .unavailable: "no process can start the program; start the agent again"
        }
    }

    // MARK: the message between the processes

    /// The length of what comes before the output.
    static let headerSize = 6

    var bytes: [UInt8] {
        [end.rawValue, number] + UInt32(truncatingIfNeeded: output.count).littleEndianBytes + output
    }

    /// - Returns: nil if more bytes are needed.
    init?(_ bytes: [UInt8]) {
        guard bytes.count >= Self.headerSize, let end = End(rawValue: bytes[0]) else { return nil }
        let output = bytes[Self.headerSize...]
        guard output.count == UInt32(littleEndianBytes: bytes[2..<6]) else { return nil }
        self.init(end, number: bytes[1], output: Array(output))
    }
}

/// What a program is asked.
struct ConsentQuestion: Sendable {
    /// The most bytes of a review.
    static let maximumInput = 16 << 20
    static let headerSize = 12

    let input: [UInt8]
    /// The most bytes of an answer.
    let limit: UInt32
    let milliseconds: UInt32

    /// - Parameter timeout: in seconds.
    /// - Returns: nil if the review is too long.
    init?(_ input: [UInt8], limit: Int, timeout: Double) {
        guard input.count <= Self.maximumInput, let limit = UInt32(exactly: limit),
            let milliseconds = UInt32(exactly: (timeout * 1000).rounded())
        else { return nil }
        (self.input, self.limit, self.milliseconds) = (input, limit, milliseconds)
    }

    var bytes: [UInt8] {
        [UInt32(truncatingIfNeeded: input.count), limit, milliseconds].flatMap(\.littleEndianBytes) + input
    }

    /// - Parameter read: fills a buffer.
    /// - Returns: nil if the agent has ended.
    init?(reading read: (Int) -> [UInt8]?) {
        guard let header = read(Self.headerSize) else { return nil }
        let numbers = stride(from: 0, to: Self.headerSize, by: 4).map {
            UInt32(littleEndianBytes: header[$0..<$0 + 4])
        }
        guard numbers[0] <= Self.maximumInput, let input = read(Int(numbers[0])) else { return nil }
        (self.input, limit, milliseconds) = (input, numbers[1], numbers[2])
    }
}

extension UInt32 {
    fileprivate var littleEndianBytes: [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: self >> (8 * $0)) } }

    fileprivate init(littleEndianBytes bytes: ArraySlice<UInt8>) {
        self = bytes.reversed().reduce(0) { $0 << 8 | UInt32($1) }
    }
}
