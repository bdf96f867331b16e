import Files
import JSON
import SecureMemory

/// Standard output and standard error. They are written with write(2), so that no data is left in a
/// buffer of stdio.
package enum Output {
    package enum Failure: Error, Equatable {
        case unwritable(errno: Int32)
        /// A file that was written under its final name; see `FileError.incomplete`.
        case incomplete(errno: Int32, isRemoved: Bool)
        case exists
        /// A file name that SQLite uses for its own files next to a vault, and deletes.
        case reserved
    }

    /// Writes data to standard output.
    package static func data(_ text: String) throws(Failure) { try data(Array(text.utf8)) }

    /// Writes data to standard output, or to an open file.
    package static func data(_ text: [UInt8], to file: FileDescriptor = .standardOutput) throws(Failure) {
        try unsafe data(text.span.bytes, to: file)
    }

    private static func data(_ bytes: RawSpan, to file: FileDescriptor = .standardOutput) throws(Failure) {
        do { try file.write(bytes) } catch { throw Failure(error) }
    }

    /// Writes one JSON value and a line feed to standard output. Each character that could control
    /// a terminal is escaped.
    package static func json(_ value: JSONValue) throws(Failure) {
        try data(Printable.json(value) + "\n")
    }

    /// Writes text for people to standard output. On a terminal it wraps between words.
    package static func report(_ text: String) throws(Failure) {
        try data(WordWrap.text(text, on: .standardOutput))
    }

    /// Writes a message and a line feed to standard error. On a terminal it wraps between words.
    package static func words(_ text: String) { line(WordWrap.text(text, on: .standardError)) }

    /// Writes rows that have their width already, or JSON, and a line feed to standard error.
    package static func line(_ text: String) { write(text + "\n", to: .standardError) }

    /// Writes secret data to standard output, directly from guarded memory.
    package static func secret(_ bytes: borrowing SecureBytes) throws(Failure) {
        try bytes.withBytes { bytes throws(Failure) in try data(bytes) }
    }

    /// Writes a message. A failure is ignored, because there is no other place to report it.
    package static func write(_ text: String, to file: FileDescriptor) {
        unsafe try? file.write(Array(text.utf8).span.bytes)
    }
}
