import Glibc
import JSON
import SecureMemory

/// Standard output and standard error. They are written with write(2), so that no data is left in a
/// buffer of stdio.
enum Output {
    enum Failure: Error, Equatable {
        case unwritable(errno: Int32)
        /// A file that was written under its final name; see `FileError.incomplete`.
        case incomplete(errno: Int32, isRemoved: Bool)
        case exists
        /// A file name that SQLite uses for its own files next to a vault, and deletes.
        case reserved
    }

    /// Writes data to standard output.
    static func data(_ text: String) throws(Failure) {
        guard write(text, to: STDOUT_FILENO) else { throw .unwritable(errno: errno) }
    }

    /// Writes data to standard output.
    static func data(_ text: [UInt8]) throws(Failure) {
        guard write(text, to: STDOUT_FILENO) else { throw .unwritable(errno: errno) }
    }

    /// Writes one JSON value and a line feed to standard output. Each character that could control
    /// a terminal is escaped.
    static func json(_ value: JSONValue, _ style: JSONWriter.Style = .compact) throws(Failure) {
        try data(Printable.json(value, style) + "\n")
    }

    /// Writes a message and a line feed to standard error.
    static func words(_ text: String) { write(text + "\n", to: STDERR_FILENO) }

    /// Writes secret data to standard output, directly from guarded memory.
    static func secret(_ bytes: borrowing SecureBytes) throws(Failure) {
        guard bytes.withBytes({ write($0, to: STDOUT_FILENO) }) else { throw .unwritable(errno: errno) }
    }

    @discardableResult
    static func write(_ text: String, to descriptor: Int32) -> Bool { write(Array(text.utf8), to: descriptor) }

    static func write(_ bytes: RawSpan, to descriptor: Int32) -> Bool {
        unsafe bytes.withUnsafeBytes { unsafe writeAll($0, to: descriptor) }
    }

    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
        unsafe bytes.span.withUnsafeBytes { unsafe writeAll($0, to: descriptor) }
    }

    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Bool {
        var offset = 0
        while offset < bytes.count {
            let count = unsafe Glibc.write(
                descriptor, bytes.baseAddress.map { unsafe $0 + offset }, bytes.count - offset)
            if count < 0 {
                if errno == EINTR { continue }
                return false
            }
            offset += count
        }
        return true
    }
}
