import Files
import Glibc
import Testing

@testable import SecureMemory

struct SecureBytesTests {
    static func array(_ bytes: borrowing SecureBytes) -> [UInt8] {
        bytes.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
    }

    @Test(arguments: [0, 1, 32, 4096, 100_000])
    func startsZeroed(count: Int) throws {
        #expect(Self.array(try SecureBytes(count: count)) == [UInt8](repeating: 0, count: count))
    }

    @Test func refusesANegativeCount() {
        #expect(throws: SecureMemoryError.unavailable(count: -1)) { _ = try SecureBytes(count: -1).count }
    }

    @Test func randomBytesDiffer() throws {
        let first = try SecureBytes(randomCount: 32)
        let second = try SecureBytes(randomCount: 32)
        #expect(Self.array(first) != Self.array(second))
    }

    @Test func comparesBytesAndLengths() throws {
        let bytes = try SecureBytes(copyingPublic: [1, 2, 3])
        let (same, other, longer) = (
            bytes.isEqual(to: try SecureBytes(copyingPublic: [1, 2, 3])),
            bytes.isEqual(to: try SecureBytes(copyingPublic: [1, 2, 4])),
            bytes.isEqual(to: try SecureBytes(copyingPublic: [1, 2, 3, 0]))
        )
        #expect(same && !other && !longer)
    }

    /// The removed bytes are wiped and not only hidden.
    @Test func truncatingWipes() throws {
        var bytes = try SecureBytes(copyingPublic: [1, 2, 3, 4])
        bytes.truncate(to: 2)
        #expect(Self.array(bytes) == [1, 2])
        let tail = bytes.withBytes { span in
            span.withUnsafeBytes { [$0.baseAddress!.load(fromByteOffset: 2, as: UInt16.self)] }
        }
        #expect(tail == [0])
        bytes.truncate(to: 9)
        bytes.truncate(to: -1)
        #expect(Self.array(bytes) == [1, 2])
    }

    // MARK: - reading

    static func reading(_ bytes: [UInt8], limit: Int) throws -> [UInt8] {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SecureMemoryError.unreadable(errno: errno) }
        defer { close(ends[0]) }
        _ = write(ends[1], bytes, bytes.count)
        close(ends[1])
        return array(try SecureBytes.read(from: FileDescriptor(ends[0]), atMost: limit))
    }

    @Test func readsToTheEndAndNoFurther() throws {
        #expect(try Self.reading([1, 2, 3], limit: 3) == [1, 2, 3])
        #expect(try Self.reading([], limit: 3) == [])
        #expect(throws: SecureMemoryError.tooLong(limit: 2)) { try Self.reading([1, 2, 3], limit: 2) }
        #expect(throws: SecureMemoryError.unreadable(errno: EBADF)) {
            _ = try SecureBytes.read(from: FileDescriptor(-1), atMost: 2).count
        }
    }

    @Test(arguments: [
        ("a\n", "a"), ("a\r\n", "a"), ("a", "a"), ("a\n\n", "a\n"), ("a\r", "a\r"), ("\n", ""), ("\r\n", ""),
        ("", ""),
        ("\n\r", "\n\r"),
    ])
    func dropsOneLineEnding(text: String, kept: String) throws {
        var bytes = try SecureBytes(copyingPublic: text.utf8)
        bytes.dropFinalLineEnding()
        #expect(Self.array(bytes) == Array(kept.utf8))
    }
}
