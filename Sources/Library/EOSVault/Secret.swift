@_exported public import Antelope
import Files
import Messages
package import SecureMemory

/// A secret that the app gives to the vault: a PIN, a private key as text, or the bytes of a key
/// file.
///
/// It is in guarded memory, which is not swapped, is left out of core dumps, and can't be accessed
/// except while a closure has it. It is wiped at the end of its life, also after a thrown error.
public struct Secret: ~Copyable, Sendable {
    package private(set) var bytes: SecureBytes

    /// Takes a secret from where the app reads it, such as an input field.
    /// - Parameters:
    ///   - maximumCount: in bytes: 0 to 1,048,576.
    ///   - fill: writes the secret to the beginning of the memory, and returns its length in bytes.
    ///     A copy elsewhere, such as a `String`, can't be wiped.
    /// - Throws: `too-large`, `not-enough-memory`.
    public init(maximumCount: Int, filling fill: (inout MutableRawSpan) -> Int) throws(EOSError) {
        try Self.expectAllowed(maximumCount)
        var bytes = try reporting { () throws(SecureMemoryError) in try SecureBytes(count: maximumCount) }
        let count = bytes.withMutableBytes { span in fill(&span) }
        bytes.truncate(to: min(max(count, 0), maximumCount))
        self.bytes = bytes
    }

    /// Reads a secret with read(2), up to the end of a file, a pipe or a terminal's input. One line
    /// ending at its end is not part of the secret.
    /// - Parameters:
    ///   - descriptor: stays open.
    ///   - maximumCount: in bytes: 0 to 1,048,576. A longer input is refused.
    /// - Throws: `too-large`, `input-output`, `not-enough-memory`.
    public init(readingFrom descriptor: Int32, maximumCount: Int = 1_024) throws(EOSError) {
        try Self.expectAllowed(maximumCount)
        var bytes = try reporting { () throws(SecureMemoryError) in
            try SecureBytes.read(from: FileDescriptor(descriptor), atMost: maximumCount)
        }
        bytes.dropFinalLineEnding()
        self.bytes = bytes
    }

    private static func expectAllowed(_ count: Int) throws(EOSError) {
        guard (0...1 << 20).contains(count) else { throw EOSError(Words(.tooLarge)) }
    }
}
