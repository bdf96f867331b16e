import Testing

@testable import KeyVault

/// The format document and the code define the same bytes.
struct VaultFormatTests {
    private static func document() throws -> String {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(
            separator: "/")
        return String(
            decoding: try VaultFixture.bytes(
                of: root + "/Sources/Vault/KeyVault/KeyVault.docc/VaultFormat.md"),
            as: UTF8.self
        )
    }

    @Test func documentHasTheSchema() throws {
        let lines = try Self.document().split(separator: "\n").filter { $0.hasPrefix("CREATE ") }.map(
            String.init)
        #expect(lines == VaultTable.all.map(\.sql))
    }

    @Test func documentHasTheDomains() throws {
        let document = try Self.document()
        for domain in [Domain.place, .row, .leaf, .root, .check, .slot, .entry] {
            #expect(domain.bytes.count == 16)
            #expect(document.contains("`\(String(decoding: domain.bytes, as: UTF8.self))`"))
        }
    }

    @Test func documentHasTheTables() throws {
        let document = try Self.document()
        for table in VaultTable.inManifest {
            let name = table == .audit ? "audit_head" : "\(table)"
            #expect(document.contains("\n| \(table.number) | \(name) | \(table.bucketCount) |"), "\(table)")
        }
    }
}
