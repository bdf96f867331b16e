import CSQLite
import Testing

@testable import KeyVault

/// Damage anywhere: the result is the correct key or a typed error. It is never another key, a trap
/// or a key that is silently missing.
struct VaultDamageTests {
    let fixture: VaultFixture
    let whole: [UInt8]
    let entries: [EntryDescription]

    init() throws {
        fixture = try VaultFixture()
        try fixture.createFilled(3)
        whole = try VaultFixture.bytes(of: fixture.path)
        entries = try fixture.unlock().entries()
    }

    /// - Returns: whether the damage was detected.
    private func examine(_ what: String) throws -> Bool {
        do {
            let vault = try fixture.unlock()
            var noticed = false
            for number in UInt8(1)...3 {
                do {
                    #expect(try VaultFixture.lend(number, of: vault) == number, "\(what)")
                } catch let error as VaultError {
                    #expect(error != .input(.noSuchKey), "\(what)")
                    noticed = true
                }
            }
            do {
                #expect(try vault.entries() == entries, "\(what)")
            } catch {
                noticed = true
            }
            return noticed
        } catch is VaultError {
            return true
        }
    }

    @Test func everyByteOfEveryRow() throws {
        // The rows and columns that a signature depends on, and the number of bytes between two
        // flips.
        let columns: [(table: String, key: String, column: String, stride: Int)] = [
            ("entries", "name", "name", 1), ("entries", "name", "label", 1), ("entries", "name", "nonce", 1),
            ("entries", "name", "sealed", 1), ("labels", "label", "label", 1), ("labels", "label", "name", 1),
            ("vault", "id", "vault_id", 1), ("vault", "id", "root", 1),
            ("manifest", "section", "leaves", 131), ("slots", "id", "body", 3),
            ("slots", "id", "checksum", 3),
        ]
        for (table, key, column, stride) in columns {
            let rows = try values("SELECT \(key), \(column) FROM \(table)")
            #expect(!rows.isEmpty)
            for row in rows {
                let (bytes, isText) = Self.bytes(row[1])
                for offset in Swift.stride(from: 0, to: bytes.count, by: stride) {
                    var changed = bytes
                    // In text, a change that keeps the labels different: the table refuses equal
                    // ones.
                    changed[offset] ^= isText ? 4 : 1 << UInt8.random(in: 0...7)
                    try change(
                        "UPDATE \(table) SET \(column) = ?1 WHERE \(key) = ?2",
                        [isText ? .text(String(decoding: changed, as: UTF8.self)) : .blob(changed), row[0]])
                    let noticed = try examine("\(table).\(column) \(offset)")
                    // A slot has a second copy; all other damage is detected.
                    #expect(noticed == (table != "slots"), "\(table).\(column) \(offset)")
                    try VaultFixture.write(whole, to: fixture.path)
                }
            }
        }
    }

    @Test func bytesOfTheFile() throws {
        for offset in stride(from: 0, to: whole.count, by: 61) {
            var changed = whole
            changed[offset] ^= 1 << UInt8.random(in: 0...7)
            try VaultFixture.write(changed, to: fixture.path)
            _ = try examine("file \(offset)")
        }
    }

    @Test func pagesOfTheFile() throws {
        let pages = whole.count / 4_096
        for page in 0..<pages {
            for other in 0..<pages where other != page {
                var changed = whole
                changed.replaceSubrange(
                    page * 4_096..<(page + 1) * 4_096, with: whole[other * 4_096..<(other + 1) * 4_096])
                try VaultFixture.write(changed, to: fixture.path)
                _ = try examine("page \(other) over \(page)")
            }
        }
    }

    @Test func cutFiles() throws {
        for length in stride(from: 0, to: whole.count, by: 509) {
            try VaultFixture.write(Array(whole[..<length]), to: fixture.path)
            #expect(try examine("cut at \(length)"))
        }
    }

    /// Six levels of pages over one intact leaf, each full of pointers to the next level: more rows
    /// than any program can read.
    @Test func survivesAnEndlessPageTree() throws {
        let root = try #require(
            try fixture.open().connection.integer("SELECT rootpage FROM sqlite_schema WHERE name = 'slots'"))
        let levels = 6
        let count = whole.count / 4_096
        let start = Int(root - 1) * 4_096
        var changed = whole
        changed += whole[start..<(start + 4_096)]  // the leaf, as page count + 1
        for level in 0..<(levels - 1) { changed += Self.interior(over: count + 1 + level) }
        changed.replaceSubrange(start..<(start + 4_096), with: Self.interior(over: count + levels))
        let pages = UInt32(changed.count / 4_096)
        changed.replaceSubrange(28..<32, with: Self.bigEndian(pages))
        try VaultFixture.write(changed, to: fixture.path)
        // The reader stops when there are more rows than slots, and uses the other copy.
        #expect(try fixture.lend(1) == 1)
    }

    /// A table's interior page whose cells all point to `page`.
    private static func interior(over page: Int) -> [UInt8] {
        let cellCount = 500
        var bytes = [UInt8](repeating: 0, count: 4_096)
        let content = 4_096 - cellCount * 5
        bytes[0] = 5
        bytes.replaceSubrange(3..<5, with: [UInt8(cellCount >> 8), UInt8(cellCount & 0xff)])
        bytes.replaceSubrange(5..<7, with: [UInt8(content >> 8), UInt8(content & 0xff)])
        bytes.replaceSubrange(8..<12, with: bigEndian(UInt32(page)))
        for cell in 0..<cellCount {
            let offset = content + cell * 5
            bytes.replaceSubrange(
                (12 + cell * 2)..<(14 + cell * 2), with: [UInt8(offset >> 8), UInt8(offset & 0xff)])
            bytes.replaceSubrange(offset..<(offset + 5), with: bigEndian(UInt32(page)) + [0])
        }
        return bytes
    }

    private static func bigEndian(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    private static func bytes(_ value: SQLiteValue) -> (bytes: [UInt8], isText: Bool) {
        switch value {
        case .text(let text): (Array(text.utf8), true)
        case .blob(let bytes): (bytes, false)
        case .null, .integer: ([], false)
        }
    }

    private func values(_ sql: String) throws -> [[SQLiteValue]] {
        var rows: [[SQLiteValue]] = []
        try fixture.open().connection.query(sql) { row throws(VaultError) in
            rows.append([row.value(0) ?? .null, row.value(1) ?? .null])
        }
        return rows
    }

    private func change(_ sql: String, _ values: [SQLiteValue]) throws {
        try fixture.open().connection.run(sql, values)
    }
}
