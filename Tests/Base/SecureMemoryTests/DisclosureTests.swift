import SecureMemory
import Testing

/// `make ctime` tests the purpose of disclosure. These tests check that it changes no value.
struct DisclosureTests {
    @Test func valuesAreUnchanged() {
        #expect(disclosed(true) && !disclosed(false))
        #expect([Int32.min, -1, 0, 1, .max].allSatisfy { disclosed($0) == $0 })
        #expect([UInt64.min, 1, .max].allSatisfy { disclosed($0) == $0 })
        #expect((UInt8.min...UInt8.max).allSatisfy { disclosed($0) == $0 })
        #expect(disclosed([1, 2, 3]) == [1, 2, 3])
    }

    @Test func bytesAreUnchanged() throws {
        let bytes = try SecureBytes(copyingPublic: [1, 2, 3])
        bytes.classify()
        bytes.withBytes { disclose($0) }
        #expect(SecureBytesTests.array(bytes) == [1, 2, 3])
    }

    @Test(arguments: [
        ("PVT_K1_", true), ("PVT_K1_x", true), ("PVT_K1", false), ("PVT_R1_x", false), ("pvt_K1_x", false),
        ("", false),
    ])
    func recognisesPrefixes(text: String, expected: Bool) throws {
        let bytes = try SecureBytes(copyingPublic: text.utf8)
        let found = bytes.withBytes { $0.starts(with: "PVT_K1_") }
        #expect(found == expected)
        let empty = bytes.withBytes { $0.starts(with: "") }
        #expect(empty)
    }

    @Test func findsSeparators() throws {
        let bytes = try SecureBytes(copyingPublic: "a b\nc d\n".utf8)
        let found = bytes.withBytes { span in
            [(10, 0..<8), (10, 4..<8), (10, 4..<7), (32, 0..<8), (32, 2..<8), (0, 0..<8), (10, 0..<0)].map {
                span.firstOffset(ofSeparator: $0.0, in: $0.1)
            }
        }
        #expect(found == [3, 7, nil, 1, 5, nil, nil])
    }
}
