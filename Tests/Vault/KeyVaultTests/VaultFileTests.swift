import Files
import Glibc
import Keys
import Testing

@testable import KeyVault

/// Files that are refused before the program asks for a PIN. Owner and mode are read from the
/// file's status, so the checks apply to root too.
struct VaultFileTests {
    let fixture: VaultFixture
    init() throws { fixture = try VaultFixture() }

    private func openError(_ path: String? = nil) -> VaultError? { vaultError { _ = try fixture.open(path) } }

    // MARK: creating

    @Test func createsOnePrivateFile() throws {
        try fixture.create()
        var status = stat()
        #expect(unsafe stat(fixture.path, &status) == 0)
        #expect(status.st_mode & 0o7777 == 0o600)
        #expect(fixture.names() == ["vault.db"])
        let bytes = try VaultFixture.bytes(of: fixture.path)
        #expect(bytes.count.isMultiple(of: 4_096))
        #expect(Array(bytes[68..<72]) == Array("EOSV".utf8) && Array(bytes[60..<64]) == [0, 0, 0, 1])
    }

    @Test func neverReplacesAFile() throws {
        try VaultFixture.write([1, 2, 3], to: fixture.path)
        #expect(vaultError { try fixture.create() } == .file(.alreadyExists))
        #expect(try VaultFixture.bytes(of: fixture.path) == [1, 2, 3])
        let location = try VaultLocation(fixture.folder + "/other.db")
        try location.createFile([4])
        #expect(vaultError { try location.createFile([5]) } == .file(.alreadyExists))
        #expect(fixture.names() == ["other.db", "vault.db"])
    }

    @Test func neverReplacesADanglingLink() throws {
        unsafe symlink(fixture.folder + "/elsewhere", fixture.path)
        #expect(vaultError { try fixture.create() } == .file(.alreadyExists))
        #expect(fixture.names() == ["vault.db"])
    }

    @Test func makesNoVaultNextToAForeignJournal() throws {
        try VaultFixture.write([], to: fixture.path + "-journal")
        #expect(vaultError { try fixture.create() } == .file(.alreadyExists))
    }

    @Test func makesFoldersForTheUserAlone() throws {
        let path = fixture.folder + "/a/b/vault.db"
        try VaultLocation.createFolder(for: path)
        try VaultLocation.createFolder(for: path)
        var status = stat()
        #expect(unsafe stat(fixture.folder + "/a/b", &status) == 0 && status.st_mode & 0o7777 == 0o700)
        unsafe rmdir(fixture.folder + "/a/b")
    }

    @Test(arguments: ["a//vault.db", "a/./vault.db", "a/b//vault.db", "a//b/.//vault.db", "/a///b//vault.db"])
    func collapsesSlashes(_ path: String) throws {
        try VaultLocation.verifyPlace(fixture.folder + "/" + path)
        try VaultLocation.createFolder(for: fixture.folder + "/" + path)
        try fixture.create(fixture.folder + "//" + path)
        let end = path.contains("/b") ? "/a/b" : "/a"
        #expect(try VaultLocation(fixture.folder + "/" + path).path == fixture.folder + end + "/vault.db")
        unsafe unlink(fixture.folder + end + "/vault.db")
        unsafe rmdir(fixture.folder + "/a/b")
    }

    @Test func acceptsARelativePath() throws {
        #expect(try VaultLocation("vault.db") == VaultLocation("./vault.db"))
        #expect(try VaultLocation("//vault.db").path == "/vault.db")
    }

    @Test func findsTheDefaultPath() throws {
        #expect(try VaultLocation.defaultPath(dataHome: "/d", home: "/h") == "/d/eosvault/vault.db")
        #expect(
            try VaultLocation.defaultPath(dataHome: "", home: "/h") == "/h/.local/share/eosvault/vault.db")
        #expect(try VaultLocation.defaultPath(dataHome: nil, home: nil) == nil)
        #expect(
            vaultError { _ = try VaultLocation.defaultPath(dataHome: "d", home: "/h") }
                == .machine(.relativeFolder(.dataHome)))
        #expect(
            vaultError { _ = try VaultLocation.defaultPath(dataHome: nil, home: "h") }
                == .machine(.relativeFolder(.home)))
    }

    // MARK: opening

    @Test func refusesPathsThatAreNotFiles() throws {
        #expect(openError() == .file(.noSuchFile))
        #expect(openError(fixture.folder + "/none/vault.db") == .file(.noSuchFile))
        unsafe mkdir(fixture.path, 0o700)
        #expect(openError() == .file(.notARegularFile(.vault, .directory)))
        let pipe = fixture.folder + "/pipe"
        unsafe mkfifo(pipe, 0o600)
        #expect(openError(pipe) == .file(.notARegularFile(.vault, .other)))
    }

    @Test(arguments: ["", ".", "..", "/", "folder/", "/tmp/.."])
    func refusesInvalidPaths(_ path: String) { #expect(openError(path) == .file(.invalidPath)) }

    @Test func refusesAPathWithAZeroByte() {
        #expect(openError(fixture.path + "\0.txt") == .file(.invalidPath))
    }

    @Test func refusesAFileLargerThanAnyVault() throws {
        try fixture.create()
        // Everything after the vault is a hole.
        #expect(unsafe truncate(fixture.path, (1 << 30) + 4_096) == 0)
        #expect(openError() == .file(.tooLarge(limit: 1 << 30)))
        #expect(
            vaultError { _ = try VaultImage(contentsOf: fixture.path) } == .file(.tooLarge(limit: 1 << 30)))
    }

    /// A file of this length whose pages after the vault's are holes.
    private func stretch(toPages pages: UInt32, free: UInt32 = 0) throws {
        var whole = try VaultFixture.bytes(of: fixture.path)
        for (offset, value) in [(28, pages), (36, free)] {
            whole.replaceSubrange(
                offset..<offset + 4, with: (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) })
        }
        try VaultFixture.write(whole, to: fixture.path)
        #expect(unsafe truncate(fixture.path, off_t(pages) * 4_096) == 0)
    }

    /// 209,716 pages are the first number of pages that is at least four fifths of 262,144.
    @Test(
        arguments: [
            (209_715, 0, 79, false), (209_716, 0, 80, true), (262_144, 0, 100, true),
            (262_144, 52_429, 79, false),
            (262_144, 262_145, 0, false), (262_144, UInt32.max, 100, true),
        ] as [(UInt32, UInt32, Int, Bool)])
    func tellsWhenItIsNearlyFull(pages: UInt32, free: UInt32, percent: Int, isNearlyFull: Bool) throws {
        try fixture.createFilled(1)
        #expect(try fixture.open().space.percent == 0)
        try stretch(toPages: pages, free: free)
        let space = try fixture.open().space
        #expect(space.percent == percent)
        #expect(space.isNearlyFull == isNearlyFull)
    }

    @Test func growsToItsLimitAndNoFurther() throws {
        try fixture.createFilled(1)
        // As long as a vault may be: with unused pages, as after removals.
        try stretch(toPages: (1 << 30) / 4_096)
        let vault = try fixture.unlock()
        let error = vaultError {
            try vault.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                for number in UInt8(2)...200 {
                    let key: PrivateKey
                    do { key = try VaultFixture.key(number) } catch { throw .input(.pinEmpty) }
                    try transaction.insert(key, label: nil, createdAt: 0)
                }
            }
        }
        #expect(error == .file(.vaultFull))
        #expect(try fixture.lend(1) == 1)
    }

    /// Refused before SQLite reads it, because SQLite keeps a parsed schema in memory.
    @Test func refusesASchemaOfManyPages() throws {
        try fixture.create()
        try fixture.patch(100, [5])
        #expect(openError() == .integrity(.schemaAltered))
        try fixture.patch(100, [13])
        try fixture.patch(103, [0, UInt8(VaultTable.all.count + 1)])
        #expect(openError() == .integrity(.schemaAltered))
    }

    @Test func refusesALink() throws {
        try fixture.create()
        let link = fixture.folder + "/link.db"
        unsafe symlink(fixture.path, link)
        #expect(openError(link) == .file(.notARegularFile(.vault, .symbolicLink)))
        // A linked folder is followed.
        unsafe symlink(fixture.folder, fixture.folder + "/folder")
        #expect(openError(fixture.folder + "/folder/vault.db") == nil)
    }

    @Test(arguments: [0o640, 0o604, 0o660, 0o644, 0o610, 0o777] as [mode_t])
    func refusesAFileOpenToOthers(_ mode: mode_t) throws {
        try fixture.create()
        fixture.setMode(mode)
        #expect(openError() == .file(.permissionsTooOpen(.vault, mode: mode)))
    }

    @Test(arguments: [0o720, 0o702, 0o1777] as [mode_t])
    func refusesAFolderOthersWriteTo(_ mode: mode_t) throws {
        try fixture.create()
        fixture.setMode(mode, of: fixture.folder)
        #expect(openError() == .file(.permissionsTooOpen(.folder, mode: mode)))
        #expect(
            vaultError { try fixture.create(fixture.folder + "/new.db") }
                == .file(.permissionsTooOpen(.folder, mode: mode)))
    }

    @Test(.enabled(if: geteuid() == 0, "only root can give files away"))
    func refusesFilesOfOthers() throws {
        try fixture.create()
        unsafe chown(fixture.path, 65_534, 65_534)
        #expect(openError() == .file(.notOwned(.vault, owner: 65_534)))
        unsafe chown(fixture.path, 0, 0)
        try VaultFixture.write([], to: fixture.path + "-journal")
        unsafe chown(fixture.path + "-journal", 65_534, 65_534)
        #expect(openError() == .file(.notOwned(.journal, owner: 65_534)))
        unsafe chown(fixture.folder, 65_534, 65_534)
        #expect(openError() == .file(.notOwned(.folder, owner: 65_534)))
    }

    @Test func refusesAHostileJournal() throws {
        try fixture.create()
        let journal = fixture.path + "-journal"
        try VaultFixture.write([], to: journal, mode: 0o622)
        #expect(openError() == .file(.permissionsTooOpen(.journal, mode: 0o622)))
        unsafe unlink(journal)
        unsafe symlink("/dev/null", journal)
        #expect(openError() == .file(.notARegularFile(.journal, .symbolicLink)))
        unsafe unlink(journal)
        try VaultFixture.write([], to: fixture.path + "-wal")
        #expect(openError() == .file(.strayWriteAheadLog))
    }

    @Test func refusesOtherContents() throws {
        try VaultFixture.write([], to: fixture.path)
        #expect(openError() == .file(.notAVault(.empty)))
        try VaultFixture.write(Array("SQLite format 3".utf8), to: fixture.path)
        #expect(openError() == .file(.notAVault(.tooShort(count: 15))))
        try VaultFixture.write([UInt8](repeating: 0x41, count: 10_000), to: fixture.path)
        #expect(openError() == .file(.notAVault(.notSQLite)))
        try VaultFixture.write([], to: fixture.path)
        try fixture.tamper("CREATE TABLE notes (text)")
        #expect(openError() == .file(.notAVault(.applicationID(0))))
        try fixture.tamper("PRAGMA application_id = \(0x454F_5356)")
        #expect(openError() == .file(.notAVault(.noVersion)))
        try fixture.tamper("PRAGMA user_version = 2")
        #expect(openError() == .file(.newerVersion(found: 2, supported: 1)))
        try fixture.tamper("PRAGMA user_version = 1")
        #expect(openError() == .integrity(.schemaAltered))
    }

    @Test(
        arguments: [
            (16, 0x20), (18, 2), (19, 2), (20, 32), (21, 63), (47, 1), (55, 1), (59, 2), (67, 1), (80, 1),
        ]
            as [(Int, UInt8)])
    func refusesAHeaderNoVaultHas(_ offset: Int, _ byte: UInt8) throws {
        try fixture.create()
        try fixture.patch(offset, [byte])
        #expect(openError() == .integrity(.damaged(.header(offset: offset))))
    }

    @Test func refusesEveryOtherLength() throws {
        try fixture.createFilled(1)
        let whole = try VaultFixture.bytes(of: fixture.path)
        for length in [99, 100, 101, 4_095, 4_096, 4_097, 8_192, whole.count - 4_096, whole.count - 1] {
            try VaultFixture.write(Array(whole[..<length]), to: fixture.path)
            #expect(openError() != nil, "cut at \(length)")
        }
        try VaultFixture.write(whole + [0], to: fixture.path)
        #expect(openError() != nil)
        try VaultFixture.write(whole + [UInt8](repeating: 0, count: 4_096), to: fixture.path)
        #expect(
            openError()
                == .integrity(
                    .damaged(.length(expected: Int64(whole.count), found: Int64(whole.count) + 4_096))))
    }

    @Test(arguments: [
        "CREATE TABLE extra (a)", "CREATE VIEW extra AS SELECT * FROM entries",
        "CREATE TRIGGER extra AFTER INSERT ON entries BEGIN DELETE FROM slots; END",
        "CREATE INDEX extra ON entries (kind)",
        "DROP TABLE audit", "DROP TABLE labels", "ALTER TABLE settings ADD COLUMN more TEXT",
        "ALTER TABLE settings ADD COLUMN more TEXT GENERATED ALWAYS AS (hex(value))",
        "DROP TABLE settings; CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY "
            + "CHECK (length(name) > 0), value BLOB NOT NULL) STRICT, WITHOUT ROWID",
        "DROP TABLE settings; CREATE TABLE settings (name TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL) STRICT",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET "
            + "sql = replace(sql, 'body BLOB', 'body  BLOB') WHERE name = 'slots'",
        "PRAGMA writable_schema = 1; UPDATE sqlite_schema SET sql = 'CREATE TABLE x (' WHERE name = 'slots'",
        "ANALYZE",
    ])
    func refusesAnotherSchema(_ sql: String) throws {
        try fixture.createFilled(1)
        try fixture.tamper(sql)
        let error = openError()
        #expect(error == .integrity(.schemaAltered) || error == .integrity(.damaged(.pages)))
    }

    @Test func refusesASchemaAlteredAfterOpening() throws {
        try fixture.createFilled(1)
        let vault = try fixture.unlock()
        try fixture.tamper("CREATE TRIGGER extra AFTER INSERT ON entries BEGIN DELETE FROM slots; END")
        #expect(
            vaultError { try vault.insert(VaultFixture.key(7), label: nil, createdAt: 0) }
                == .integrity(.schemaAltered)
        )
    }

    // MARK: several names

    /// An interrupted change leaves its journal under one name only. Nothing is written while the
    /// file has several names.
    @Test func doesNotWriteAFileWithSeveralNames() throws {
        try fixture.createFilled(1)
        let other = fixture.folder + "/other.db"
        #expect(link(fixture.path, other) == 0)
        let before = try VaultFixture.bytes(of: fixture.path)
        for path in [fixture.path, other] {
            let vault = try fixture.unlock(path)
            #expect(try vault.vault.linkCount() == 2)
            #expect(
                vaultError { try vault.insert(VaultFixture.key(2), label: nil, createdAt: 0) }
                    == .file(.hardLinked(count: 2)))
            #expect(try vault.entries().count == 1)
        }
        #expect(
            vaultError { _ = try fixture.open().unlock(VaultFixture.pin("wrong one")) }
                == .input(.wrongUnlockMethod(.pin, damagedSlots: [])))
        let backup = try fixture.unlock().backup(to: fixture.folder + "/copy.db")
        #expect(!backup.isRecorded)
        #expect(
            try fixture.open(fixture.folder + "/copy.db").check(UnlockMethod.pin(VaultFixture.pin())).faults
                == [])
        #expect(try VaultFixture.bytes(of: fixture.path) == before)
        unlink(other)
        try fixture.unlock().insert(VaultFixture.key(2), label: nil, createdAt: 0)
        #expect(try fixture.lend(2) == 2)
    }

    /// A name that is added while the vault is open counts too.
    @Test func countsANameThatIsAddedLater() throws {
        try fixture.createFilled(1)
        let vault = try fixture.unlock()
        #expect(link(fixture.path, fixture.folder + "/other.db") == 0)
        #expect(
            vaultError { try vault.insert(VaultFixture.key(2), label: nil, createdAt: 0) }
                == .file(.hardLinked(count: 2)))
        // Another file under the name does not belong to this vault.
        unlink(fixture.path)
        try VaultFixture.write(VaultFixture.bytes(of: fixture.folder + "/other.db"), to: fixture.path)
        #expect(
            vaultError { try vault.insert(VaultFixture.key(2), label: nil, createdAt: 0) }
                == .file(.replacedWhileOpening))
    }
}
