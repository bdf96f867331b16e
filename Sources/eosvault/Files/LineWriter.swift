/// Lines to standard output, gathered so that a hundred thousand of them are few system calls.
struct LineWriter {
    private var pending: [UInt8] = []
    /// A line of a few bytes may stand for kilobytes: no more than about this is kept before it is
    /// written.
    private static let enough = 1 << 18

    /// What a line was refused for, and not the writing of it.
    struct Refused: Error {
        let error: any Error
    }

    /// Lets `body` append a line; what it appended before an error is taken back.
    /// - Throws: `Refused` with what `body` throws; `Output.Failure`.
    mutating func write(_ body: (inout [UInt8]) throws -> Void) throws {
        let count = pending.count
        do { try body(&pending) } catch {
            pending.removeLast(pending.count - count)
            throw Refused(error: error)
        }
        try end()
    }

    mutating func write(_ line: String) throws(Output.Failure) {
        pending += line.utf8
        try end()
    }

    private mutating func end() throws(Output.Failure) {
        pending.append(UInt8(ascii: "\n"))
        if pending.count >= Self.enough { try flush() }
    }

    mutating func flush() throws(Output.Failure) {
        guard !pending.isEmpty else { return }
        try Output.data(pending)
        pending.removeAll(keepingCapacity: true)
    }
}
