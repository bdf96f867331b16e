import Files

/// Writes lines to standard output or a file. Lines are collected, so that 100,000 lines take few
/// system calls.
package struct LineWriter {
    private let file: FileDescriptor
    private var pending: [UInt8] = []

    package init(to file: FileDescriptor = .standardOutput) { self.file = file }

    /// Bytes that are collected before they are written. A short input line can give kilobytes of
    /// output.
    private static let flushSize = 1 << 18

    /// The error for which `body` refused a line. An output error is not one.
    package struct Refused: Error {
        package let error: any Error
    }

    /// Lets `body` append a line. If `body` throws, its output is removed.
    /// - Throws: `Refused` with the error of `body`, or `Output.Failure`.
    package mutating func write(_ body: (inout [UInt8]) throws -> Void) throws {
        let count = pending.count
        do { try body(&pending) } catch {
            pending.removeLast(pending.count - count)
            throw Refused(error: error)
        }
        try end()
    }

    package mutating func write(_ line: String) throws(Output.Failure) {
        pending += line.utf8
        try end()
    }

    private mutating func end() throws(Output.Failure) {
        pending.append(UInt8(ascii: "\n"))
        if pending.count >= Self.flushSize { try flush() }
    }

    package mutating func flush() throws(Output.Failure) {
        guard !pending.isEmpty else { return }
        try Output.data(pending, to: file)
        pending.removeAll(keepingCapacity: true)
    }
}
