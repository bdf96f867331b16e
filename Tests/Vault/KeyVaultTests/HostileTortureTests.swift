import Glibc
import TestSupport
import Testing

@testable import KeyVault

/// Malicious files: each is refused, or rescued, in little memory and with bounded work. The
/// children run under a limit of memory, and of processor time, which only work without end
/// reaches.
struct HostileTortureTests {
    /// Runs in a child: bounds what the process may still ask for.
    private static func limit(memory: Int) throws {
        let used = try VaultFixture.bytes(of: "/proc/self/statm").prefix { $0 != UInt8(ascii: " ") }
        let pages = try #require(Int(String(decoding: used, as: UTF8.self)))
        var room = rlimit(rlim_cur: rlim_t(pages * 4_096 + memory), rlim_max: rlim_t.max)
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_AS.rawValue), &room) == 0)
        room = rlimit(rlim_cur: rlim_t(SafetyLimit.seconds), rlim_max: rlim_t(SafetyLimit.seconds))
        #expect(setrlimit(__rlimit_resource_t(RLIMIT_CPU.rawValue), &room) == 0)
    }

    /// The results of opening, listing, unlocking and signing, and the result of a rescue.
    private struct Outcome {
        var list: VaultError?
        var use: VaultError?
        var change: VaultError?
        var rescued: Int?
        var rescue: VaultError?

        init(_ fixture: VaultFixture) throws {
            let crafted = try VaultFixture.bytes(of: fixture.path)
            list = vaultError { _ = try fixture.open().unverifiedEntries() }
            use = vaultError {
                let vault = try fixture.unlock()
                for number in UInt8(1)...3 { #expect(try VaultFixture.lend(number, of: vault) == number) }
                _ = try vault.entries()
            }
            change = vaultError {
                _ = try fixture.unlock().insert(VaultFixture.key(9), label: nil, createdAt: 0)
            }
            try VaultFixture.write(crafted, to: fixture.path)
            rescue = vaultError { rescued = try fixture.rescue().rescued.count }
            unlink(fixture.folder + "/rescued.db")
            // These errors would mean that the file reached a limit of the machine.
            for case .some(let error) in [list, use, change, rescue] {
                switch error {
                case .machine(.memory), .machine(.notEnoughMemory), .machine(.system), .machine(.busy),
                    .machine(.diskFull):
                    Issue.record("\(error)")
                default: break
                }
            }
        }
    }

    // MARK: SQL

    /// Schemas that would run an attacker's SQL, or that have more tables than a vault.
    private static let schemas: [String] = [
        "CREATE TRIGGER x AFTER INSERT ON entries BEGIN DELETE FROM slots; END",
        "CREATE TRIGGER x INSTEAD OF INSERT ON entries_view BEGIN SELECT 1; END",
        "CREATE VIEW entries_view AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n",
        "CREATE TABLE x (a INTEGER PRIMARY KEY AUTOINCREMENT)", "ANALYZE",
        "CREATE INDEX x ON entries (hex(sealed))",
        "CREATE TABLE x (a, b GENERATED ALWAYS AS (hex(zeroblob(1000000000))))",
        "CREATE TABLE x (a CHECK (length(hex(zeroblob(1000000000))) > 0), b DEFAULT (zeroblob(1000000000)))",
        """
        PRAGMA writable_schema = 1; UPDATE sqlite_schema SET type = 'view', rootpage = 0, sql = \
        'CREATE VIEW entries AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) \
        SELECT i FROM n' WHERE name = 'entries'
        """,
        """
        PRAGMA writable_schema = 1; UPDATE sqlite_schema SET \
        sql = 'CREATE VIRTUAL TABLE entries USING fts5(a)' WHERE name = 'entries'
        """,
        """
        PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = sql || hex(zeroblob(8000000)) \
        WHERE name = 'entries'
        """,
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 1 WHERE name = 'entries'",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET rootpage = 2000000000 WHERE name = 'entries'",
        """
        PRAGMA writable_schema = 1; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
        WHERE i < 2000) INSERT INTO sqlite_schema SELECT 'table', 'x' || i, 'x' || i, 0, \
        'CREATE TABLE x' || i || ' (a, b, c, d, e, f, g, h)' FROM n
        """,
        """
        PRAGMA writable_schema = 1; WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n \
        WHERE i < 2000) INSERT INTO sqlite_schema SELECT 'table', 'x' || i, 'x' || i, i + 100, \
        'CREATE TABLE x' || i || ' (a, b, c, d, e, f, g, h)' FROM n
        """,
    ]

    @Test func schemas() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(3)
            let whole = try VaultFixture.bytes(of: fixture.path)
            try Self.limit(memory: 96 << 20)
            for sql in Self.schemas {
                // Some statements need what another statement creates.
                let full =
                    sql.contains("ON entries_view") ? "CREATE VIEW entries_view AS SELECT 1; " + sql : sql
                try fixture.tamper("PRAGMA synchronous = OFF; " + full)
                let outcome = try Outcome(fixture)
                for error in [outcome.list, outcome.use, outcome.change] {
                    #expect(
                        error == .integrity(.schemaAltered) || error == .integrity(.damaged(.pages)),
                        "\(sql): \(String(describing: error))")
                }
                #expect(outcome.rescued == 3, "\(sql)")
                try VaultFixture.write(whole, to: fixture.path)
            }
        }
    }

    // MARK: pages

    /// A page of cells whose every child is `page`: of a table, or of an index, whose cells have
    /// content.
    private static func interior(over page: Int, like leaf: ArraySlice<UInt8>) -> [UInt8] {
        let isTable = leaf.first == 0x0d
        // An index cell has at least 4 bytes. A record without columns would be too short, so the
        // record has one NULL.
        let content: [UInt8] = isTable ? [0] : [2, 2, 0]
        let size = 4 + content.count
        let count = (4_096 - 12) / (size + 2)
        var bytes = [UInt8](repeating: 0, count: 4_096)
        bytes[0] = isTable ? 5 : 2
        let start = 4_096 - count * size
        bytes.replaceSubrange(
            3..<7, with: [UInt8(count >> 8), UInt8(count & 0xff), UInt8(start >> 8), UInt8(start & 0xff)])
        bytes.replaceSubrange(8..<12, with: word(page))
        for cell in 0..<count {
            let offset = start + cell * size
            bytes.replaceSubrange(
                (12 + cell * 2)..<(14 + cell * 2), with: [UInt8(offset >> 8), UInt8(offset & 0xff)])
            bytes.replaceSubrange(offset..<(offset + size), with: word(page) + content)
        }
        return bytes
    }

    private static func word(_ value: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) }
    }

    /// The file with a tree of this many levels over a table's page. Each level is full of pointers
    /// to the next one. With `ring`, the last level points to the first.
    private static func tree(_ whole: [UInt8], root: Int, levels: Int, ring: Bool) -> [UInt8] {
        var bytes = whole
        let range = (root - 1) * 4_096..<root * 4_096
        let leaf = whole[range]
        let count = whole.count / 4_096
        if !ring { bytes += leaf }
        for level in 0..<(levels - 1) {
            bytes += interior(over: ring && level == 0 ? root : bytes.count / 4_096, like: leaf)
        }
        bytes.replaceSubrange(
            range,
            with: interior(
                over: levels == 1 && !ring ? count + 1 : ring && levels == 1 ? root : bytes.count / 4_096,
                like: leaf))
        bytes.replaceSubrange(28..<32, with: word(bytes.count / 4_096))
        return bytes
    }

    /// More rows than any program can read, in a file of a few pages: under each table, and under
    /// the schema's own table.
    @Test func endlessTrees() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(3)
            let whole = try VaultFixture.bytes(of: fixture.path)
            let names = [
                "entries", "labels", "slots", "slot_copies", "vault", "manifest", "settings", "audit_head",
            ]
            let roots = try names.map { ($0, try fixture.rootPage($0)) }
            try Self.limit(memory: 96 << 20)
            for (table, root) in roots {
                for (levels, ring) in [(1, false), (2, false), (6, false), (30, false), (1, true), (2, true)]
                {
                    try VaultFixture.write(
                        Self.tree(whole, root: root, levels: levels, ring: ring), to: fixture.path)
                    let outcome = try Outcome(fixture)
                    // The slots have a second copy, and no setting is read.
                    #expect(
                        outcome.use != nil || table.hasPrefix("slot") || table == "settings" || levels == 1,
                        "\(table), \(levels), \(ring), \(outcome)")
                    // In a ring, the only leaf of the entries is gone.
                    #expect(
                        outcome.rescued == (ring && table == "entries" ? 0 : 3),
                        "\(table), \(levels), \(ring), \(outcome)")
                }
            }
        }
    }

    // MARK: numbers

    /// A page count, a list of free pages, an overflow page and a length that no vault has.
    @Test func numbersOfTheHeader() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(3)
            let whole = try VaultFixture.bytes(of: fixture.path)
            let pages = whole.count / 4_096
            try Self.limit(memory: 96 << 20)
            for count in [0, 1, pages - 1, pages + 1, 0x7fff_ffff, 0xffff_fffe, 0xffff_ffff] {
                try fixture.patch(28, Self.word(count))
                let outcome = try Outcome(fixture)
                #expect(outcome.use != nil, "\(count) pages")
                #expect(outcome.rescued == 3)
                try VaultFixture.write(whole, to: fixture.path)
            }
            // Free pages: the first trunk page and the number of pages.
            for (trunk, count) in [
                (1, 1), (2, 1), (pages, 5), (pages + 1, 1), (0, 1_000_000_000), (2, 0xffff_ffff),
                (0xffff_ffff, 1),
            ] {
                try fixture.patch(32, Self.word(trunk) + Self.word(count))
                let outcome = try Outcome(fixture)
                #expect(outcome.use == nil, "free pages from \(trunk)")
                #expect(outcome.rescued == 3)
                try VaultFixture.write(whole, to: fixture.path)
            }
        }
    }

    /// A row with a stated length of 2 GB.
    @Test func lengthsOfRows() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(3)
            let whole = try VaultFixture.bytes(of: fixture.path)
            let roots =
                try ["entries", "labels", "slots", "vault"].map { ($0, try fixture.rootPage($0)) } + [
                    ("sqlite_schema", 1)
                ]
            try Self.limit(memory: 96 << 20)
            for (table, root) in roots {
                let page = (root - 1) * 4_096
                let header = page + (root == 1 ? 100 : 0)
                let cell = page + Int(whole[header + 8]) << 8 + Int(whole[header + 9])
                for length in [
                    [0x87, 0xff, 0xff, 0xff, 0x7f], [0x84, 0x80, 0x80, 0x00],
                    [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff],
                ] as [[UInt8]] {
                    try fixture.patch(cell, length)
                    let outcome = try Outcome(fixture)
                    #expect(
                        outcome.use != nil || table == "slots", "\(table): \(String(describing: outcome))")
                    #expect((outcome.rescued ?? 0) >= 2, "\(table): \(String(describing: outcome))")
                    try VaultFixture.write(whole, to: fixture.path)
                }
            }
        }
    }

    /// The costs that a slot may request.
    @Test func costsOfSlots() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(3)
            let state = try SlotTable(in: fixture.open().connection).states[0]
            guard case .sound(let old, _) = state else {
                Issue.record("the slot of a new vault is not intact")
                return
            }
            try Self.limit(memory: 96 << 20)
            for (passes, memory) in [(3, 1 << 40), (1, .max), (1_000_000, 8_192), (.max, 8_192), (0, 0)]
                as [(UInt32, UInt64)]
            {
                var slot = Slot(
                    kind: old.kind, derivation: .argon2id(passes: passes, memory: memory),
                    vaultID: old.vaultID,
                    createdAt: old.createdAt,
                    salt: old.salt, details: [])
                (slot.commitment, slot.nonce, slot.wrapped) = (old.commitment, old.nonce, old.wrapped)
                try SlotTable.write(slot, number: 0, in: fixture.open().connection)
                let outcome = try Outcome(fixture)
                for error in [outcome.use, outcome.change, outcome.rescue] {
                    if case .input(.kdfCost) = error { continue }
                    Issue.record("\(passes) passes over \(memory) bytes: \(String(describing: error))")
                }
            }
        }
    }

    /// A file with something like a row at every byte. The file's length bounds the work.
    @Test func rowsEverywhere() async {
        await #expect(processExitsWith: .success) {
            let fixture = try VaultFixture()
            try fixture.createFilled(3)
            let whole = try VaultFixture.bytes(of: fixture.path)
            try Self.limit(memory: 96 << 20)
            let name = Array(try #require(fixture.sealed().keys.sorted().first).utf8)
            // The header of an entry's record with short columns, slots, and names.
            let record: [UInt8] = [10, 9, 13 + 2 * 3, 8, 0, 9, 9, 12, 60, 44] + Array("EOS".utf8)
            for filler in [record, [1, 1, 1, 0], name, [4, 0, 12, 76], [7, 0, 44, 9, 9, 9, 76]] {
                try VaultFixture.write(whole, to: fixture.path)
                let file = try #require(fopen(fixture.path, "a"))
                for _ in 0..<(Torture.pick(short: 1 << 20, long: 8 << 20) / filler.count) {
                    fwrite(filler, 1, filler.count, file)
                }
                fclose(file)
                let report = try fixture.rescue()
                #expect(report.rescued.count == 3)
                #expect(report.losses.count <= 20_000)
                unlink(fixture.folder + "/rescued.db")
            }
        }
    }

    @Test func longerThanAnyVault() throws {
        let fixture = try VaultFixture()
        try fixture.createFilled(1)
        #expect(truncate(fixture.path, 1 << 30 + 1) == 0)
        #expect(vaultError { _ = try fixture.rescue() } == .file(.tooLarge(limit: 1 << 30)))
    }
}
