import Testing

@testable import SecureMemory

/// Guarded memory that many secrets use one after another.
struct ReusedBytesTests {
    private struct Thrown: Error {}

    /// Fills the bytes, and returns them as they were before.
    private static func fill(_ span: inout MutableRawSpan) -> [UInt8] {
        let before = (0..<span.byteCount).map { span[byte: $0] }
        for index in 0..<span.byteCount { span[byte: index] = 0x5a }
        return before
    }

    /// Each use starts with zeros, whatever the use before it wrote and however it ended.
    @Test func isWipedAfterEachUse() throws {
        var bytes = try ReusedBytes(capacity: 40)
        #expect(bytes.lend(40) { Self.fill(&$0) } == [UInt8](repeating: 0, count: 40))
        #expect(bytes.lend(8) { Self.fill(&$0) } == [UInt8](repeating: 0, count: 8))
        #expect(throws: Thrown.self) {
            try bytes.lend(40) { span in
                _ = Self.fill(&span)
                throw Thrown()
            }
        }
        #expect(bytes.lend(40) { Self.fill(&$0) } == [UInt8](repeating: 0, count: 40))
        #expect(bytes.lend(0) { $0.byteCount } == 0)
    }

    /// The page is no-access between two uses, also after an error, and it is the same page.
    @Test func isAccessibleOnlyWhileLent() throws {
        var bytes = try ReusedBytes(capacity: 32)
        func address(_ span: inout MutableRawSpan) -> UnsafeRawPointer {
            span.withUnsafeMutableBytes { UnsafeRawPointer($0.baseAddress.unsafelyUnwrapped) }
        }
        let (first, access) = try bytes.lend(32) { span throws in
            let address = address(&span)
            return (address, try GuardedPagesTests.Mapping(of: address).access)
        }
        #expect(access == "rw-p")
        let between = try GuardedPagesTests.Mapping(of: first)
        #expect(
            between.access == "---p" && Set(["lo", "dd", "wf"]).isSubset(of: between.flags.map(String.init)))
        #expect(throws: Thrown.self) { try bytes.lend(32) { _ in throw Thrown() } }
        #expect(try GuardedPagesTests.Mapping(of: first).access == "---p")
        #expect(bytes.lend(32) { address(&$0) } == first)
    }

    /// The scratch memory of a secret is wiped after each use; the secret is not.
    @Test func scratchIsWipedAfterEachUse() throws {
        var bytes = try SecureBytes(count: 4, scratch: 12)
        func fill() -> [[UInt8]] {
            bytes.withMutableBytes(3, 4, 5) { secret, one, two, three in
                [Self.fill(&secret), Self.fill(&one), Self.fill(&two), Self.fill(&three)]
            }
        }
        let zeros = [3, 4, 5].map { [UInt8](repeating: 0, count: $0) }
        #expect(fill() == [[0, 0, 0, 0]] + zeros)
        #expect(fill() == [[0x5a, 0x5a, 0x5a, 0x5a]] + zeros)
        #expect(throws: Thrown.self) {
            try bytes.withMutableBytes(12, 0, 0) { _, one, _, _ in
                _ = Self.fill(&one)
                throw Thrown()
            }
        }
        bytes.truncate(to: 2)
        #expect(fill() == [[0x5a, 0x5a]] + zeros)
        #expect(bytes.count == 2)
    }

    @Test func lendsNothingBeyondItsCapacity() async {
        await #expect(processExitsWith: .failure) {
            var bytes = try ReusedBytes(capacity: 32)
            bytes.lend(33) { $0[byte: 0] = 1 }
        }
        #expect(throws: SecureMemoryError.unavailable(count: -1)) { _ = try ReusedBytes(capacity: -1) }
    }
}
