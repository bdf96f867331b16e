import CSQLite
import Files
import Glibc
import SecureMemory

/// A connection to SQLite with the settings of this format. Only this file and `SQLiteRow` call
/// SQLite.
///
/// A statement is prepared once and kept. A closure that visits rows must not run the same
/// statement again.
@safe
final class SQLiteConnection {
    private let handle: OpaquePointer
    private var statements: [String: SQLiteStatement] = [:]
    private let budget: SQLiteBudget

    /// Virtual machine steps between two checks of the budget.
    private static let stepsBetweenLooks: Int32 = 1_000

    /// Initialises SQLite. SQLite would also do this when a database is opened, and a failure is
    /// reported then.
    static func start() { _ = sqlite3_initialize() }

    /// - Parameter path: an existing file in a folder whose path has no symbolic link; nil for a
    ///   database in memory.
    convenience init(path: String?, readOnly: Bool = false, busyTimeout milliseconds: Int32)
        throws(VaultError)
    {
        let access = readOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        try self.init(opening: path ?? ":memory:", access | SQLITE_OPEN_NOFOLLOW)
        try configure(busyTimeout: milliseconds)
    }

    private init(opening name: String, _ access: Int32) throws(VaultError) {
        var opened: OpaquePointer?
        let flags = access | SQLITE_OPEN_PRIVATECACHE | SQLITE_OPEN_FULLMUTEX | SQLITE_OPEN_EXRESCODE
        let code = unsafe sqlite3_open_v2(name, &opened, flags, "unix")
        guard let handle = unsafe opened else { throw .machine(.sqlite(code: code)) }
        unsafe self.handle = handle
        budget = SQLiteBudget()
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// A read-only database in memory, made from the bytes of a file.
    convenience init(image: [UInt8]) throws(VaultError) {
        try self.init(opening: ":memory:", SQLITE_OPEN_READWRITE)
        guard let copy = unsafe sqlite3_malloc64(UInt64(image.count)) else {
            throw .machine(.memory(.unavailable(count: image.count)))
        }
        unsafe copy.copyMemory(from: image, byteCount: image.count)
        // SQLite owns the copy from here on, even when this call fails.
        try check(
            unsafe sqlite3_deserialize(
                handle, "main", copy.assumingMemoryBound(to: UInt8.self), Int64(image.count),
                Int64(image.count),
                UInt32(SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_READONLY)))
        try configure(busyTimeout: 0)
    }

    deinit {
        for statement in statements.values { statement.finalize() }
        unsafe sqlite3_close_v2(handle)
    }

    /// True if the file could only be opened for reading.
    var isReadOnly: Bool { unsafe sqlite3_db_readonly(handle, "main") == 1 }

    /// True if the path no longer leads to the open file. Also true when this can't be determined.
    var hasMoved: Bool { unsafe csqlite_has_moved(handle) != 0 }

    /// True if a transaction is open.
    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    // MARK: statements

    /// Runs a statement and visits its rows.
    func query(
        _ sql: String, _ values: [SQLiteValue] = [], _ visit: (borrowing SQLiteRow) throws(VaultError) -> Void
    ) throws(VaultError) {
        let statement = try prepare(sql)
        defer { statement.reset() }
        refillBudget()
        for (index, value) in values.enumerated() {
            try check(statement.bind(value, at: Int32(index + 1)))
        }
        while true {
            let code = statement.step()
            switch code {
            case SQLITE_ROW: try visit(statement.row)
            case SQLITE_DONE: return
            default: throw failure(code)
            }
        }
    }

    /// Runs a statement that returns no rows, or whose rows are not needed.
    func run(_ sql: String, _ values: [SQLiteValue] = []) throws(VaultError) {
        try query(sql, values) { _ throws(VaultError) in }
    }

    /// Runs COMMIT. The change is complete once the journal is deleted. A failure after that is
    /// `commitUncertain`; any other failure undoes the change.
    func commit() throws(VaultError) {
        let statement = try prepare("COMMIT")
        defer { statement.reset() }
        refillBudget()
        // `failure` reads errno, which must come from this statement.
        errno = 0
        let code = statement.step()
        guard code != SQLITE_DONE else { return }
        // SQLITE_IOERR_UNLOCK, SQLITE_IOERR_RDLOCK: the change is complete, but the lock was not
        // released (pager_end_transaction).
        if Self.isIOError(code, [8, 9]) { return }
        // SQLITE_IOERR_DIR_FSYNC, and SQLITE_IOERR_DELETE_NOENT: another process deleted the
        // journal.
        throw Self.isIOError(code, [5, 23]) ? .machine(.commitUncertain) : failure(code)
    }

    /// True if the code is SQLITE_IOERR with one of these second bytes, whose macros are not
    /// imported.
    private static func isIOError(_ code: Int32, _ kinds: [Int32]) -> Bool {
        kinds.contains { code == SQLITE_IOERR | $0 << 8 }
    }

    /// The integer in the first column of the first row.
    func integer(_ sql: String, _ values: [SQLiteValue] = []) throws(VaultError) -> Int64? {
        var result: Int64?
        try query(sql, values) { row throws(VaultError) in
            if result == nil { result = row.integer(0) }
        }
        return result
    }

    /// The verdict of `integrity_check` or `quick_check`.
    func passes(_ check: String) throws(VaultError) -> Bool {
        var isSound = false
        try query("PRAGMA \(check)(1)") { row throws(VaultError) in isSound = row.text(0) == "ok" }
        return isSound
    }

    /// A database in memory has no file. If the size of a file can't be read, the statement itself
    /// fails.
    private func refillBudget() { budget.refill(forFileOf: (try? fileSize()) ?? 0) }

    private func prepare(_ sql: String) throws(VaultError) -> SQLiteStatement {
        if let kept = statements[sql] { return kept }
        var prepared: OpaquePointer?
        refillBudget()
        try check(
            unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil))
        guard let prepared = unsafe prepared else { throw .machine(.sqlite(code: SQLITE_MISUSE)) }
        let statement = unsafe SQLiteStatement(handle: prepared)
        statements[sql] = statement
        return statement
    }

    // MARK: the file

    /// The first `count` bytes of the file, or fewer when the file is shorter. They are read
    /// without a lock, before any statement runs.
    func header(count: Int) throws(VaultError) -> [UInt8] {
        try bytes(min(count, Int(clamping: fileSize())), at: 0)
    }

    /// Bytes of the file, which has all of them. Changes of an open transaction are not in them.
    func bytes(_ count: Int, at offset: Int64) throws(VaultError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        try check(unsafe csqlite_read_file(handle, &bytes, Int32(count), offset))
        return bytes
    }

    /// The size of the file in bytes.
    func fileSize() throws(VaultError) -> Int64 {
        var size: sqlite3_int64 = 0
        try check(unsafe csqlite_file_size(handle, &size))
        return size
    }

    /// The whole database as the bytes of its file.
    func serialized() throws(VaultError) -> [UInt8] {
        var size: sqlite3_int64 = 0
        guard let bytes = unsafe sqlite3_serialize(handle, "main", &size, 0) else {
            throw failure(unsafe sqlite3_errcode(handle))
        }
        defer { unsafe sqlite3_free(bytes) }
        return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: Int(size)))
    }

    // MARK: settings

    /// Sets options and limits that must be in effect before SQLite parses the first byte of the
    /// schema.
    private func configure(busyTimeout milliseconds: Int32) throws(VaultError) {
        let off = [
            SQLITE_DBCONFIG_TRUSTED_SCHEMA, SQLITE_DBCONFIG_ENABLE_TRIGGER, SQLITE_DBCONFIG_ENABLE_VIEW,
            SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, SQLITE_DBCONFIG_WRITABLE_SCHEMA, SQLITE_DBCONFIG_DQS_DDL,
            SQLITE_DBCONFIG_DQS_DML,
            SQLITE_DBCONFIG_LEGACY_ALTER_TABLE,
        ]
        try check(unsafe csqlite_set_option(handle, SQLITE_DBCONFIG_DEFENSIVE, 1))
        for option in off { try check(unsafe csqlite_set_option(handle, option, 0)) }
        let limits = [
            SQLITE_LIMIT_LENGTH: VaultFormat.maximumValueCount, SQLITE_LIMIT_SQL_LENGTH: 4_096,
            SQLITE_LIMIT_COLUMN: 32,
            SQLITE_LIMIT_EXPR_DEPTH: 16, SQLITE_LIMIT_COMPOUND_SELECT: 2, SQLITE_LIMIT_VDBE_OP: 10_000,
            SQLITE_LIMIT_FUNCTION_ARG: 8, SQLITE_LIMIT_ATTACHED: 0, SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 16,
            SQLITE_LIMIT_VARIABLE_NUMBER: 32, SQLITE_LIMIT_TRIGGER_DEPTH: 1, SQLITE_LIMIT_WORKER_THREADS: 0,
        ]
        for (limit, value) in limits { unsafe sqlite3_limit(handle, limit, Int32(value)) }
        try setBusyTimeout(milliseconds)
        unsafe sqlite3_progress_handler(
            handle, Self.stepsBetweenLooks, { context in unsafe SQLiteBudget.spend(context) }, budget.context)
    }

    /// Sets how long to wait for the lock of another process.
    func setBusyTimeout(_ milliseconds: Int32) throws(VaultError) {
        try check(unsafe sqlite3_busy_timeout(handle, milliseconds))
    }

    /// Sets a pragma and reads it back, because SQLite ignores unknown pragmas.
    func set(pragma name: String, to value: String, reads expected: SQLiteValue) throws(VaultError) {
        try run("PRAGMA \(name) = \(value)")
        var found: SQLiteValue?
        try query("PRAGMA \(name)") { row throws(VaultError) in found = row.value(0) }
        guard found == expected else { throw .machine(.sqlite(code: SQLITE_ERROR)) }
    }

    // MARK: errors

    private func check(_ code: Int32) throws(VaultError) {
        guard code == SQLITE_OK else { throw failure(code) }
    }

    /// The vault's error for an extended result code.
    private func failure(_ code: Int32) -> VaultError {
        let last = errno
        switch code & 0xff {
        case SQLITE_BUSY, SQLITE_LOCKED: return .machine(.busy)
        case SQLITE_FULL: return isAtLimit ? .file(.vaultFull) : .machine(.diskFull)
        case SQLITE_READONLY: return .machine(.readOnly)
        case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: return .integrity(.damaged(.pages))
        case SQLITE_INTERRUPT: return .integrity(.budgetExceeded)
        case SQLITE_NOMEM: return .machine(.memory(.unavailable(count: 0)))
        // SQLITE_IOERR_SHORT_READ, whose macro is an expression and is not imported.
        case SQLITE_IOERR where code == SQLITE_IOERR | 2 << 8: return .integrity(.damaged(.pages))
        case SQLITE_IOERR, SQLITE_CANTOPEN:
            return Self.full.contains(systemErrno(last))
                ? .machine(.diskFull) : .machine(.system(Self.operation(code), errno: systemErrno(last)))
        default: return .machine(.sqlite(code: code))
        }
    }

    /// True if the file has less room below its maximum size than one change may need.
    private var isAtLimit: Bool { ((try? fileSize()) ?? 0) > Int64(VaultFormat.maximumFileSize - 64 << 20) }

    /// A file size limit and a quota have the same meaning as a full disk.
    private static let full = [ENOSPC, EFBIG, EDQUOT]

    /// The errno of the failure, as SQLite kept it. SQLite keeps none when a COMMIT fails on the
    /// journal or the folder. Then `last` shows whether there was room, unless the rollback failed
    /// too.
    private func systemErrno(_ last: Int32) -> Int32 {
        let kept = [unsafe csqlite_last_errno(handle), unsafe sqlite3_system_errno(handle)].first { $0 != 0 }
        return kept ?? (Self.full.contains(last) ? last : EIO)
    }

    /// The operation that failed, from the second byte of SQLITE_IOERR_READ and related codes.
    private static func operation(_ code: Int32) -> SystemOperation {
        guard code & 0xff == SQLITE_IOERR else { return .open }
        return switch code >> 8 {
        case 3, 6: .write
        case 4, 5: .sync
        default: .read
        }
    }
}

/// The number of steps that a statement may still take. SQLite's progress handler counts it down.
/// Without it, a crafted file (a cyclic page tree) could keep a statement running forever.
@safe
private final class SQLiteBudget {
    private let looks: UnsafeMutablePointer<Int>

    init() {
        unsafe looks = .allocate(capacity: 1)
        unsafe looks.initialize(to: 0)
    }

    deinit { unsafe looks.deallocate() }

    var context: UnsafeMutableRawPointer { unsafe UnsafeMutableRawPointer(looks) }

    /// The budget in thousands of steps: a minimum, and about ten steps for each 16 bytes of the
    /// file. This is more than any intact row needs.
    func refill(forFileOf bytes: Int64) {
        unsafe looks.pointee = 10_000 + Int(clamping: bytes / 1_600)
    }

    static func spend(_ context: UnsafeMutableRawPointer?) -> Int32 {
        guard let looks = unsafe context?.assumingMemoryBound(to: Int.self) else { return 1 }
        unsafe looks.pointee -= 1
        return unsafe looks.pointee < 0 ? 1 : 0
    }
}
