import CSQLite
import Testing

@testable import KeyVault

/// Counts the steps that SQLite's virtual machine takes for a connection, which are the same on
/// each machine.
final class SQLiteSteps {
    private(set) var count = 0
    private let connection: SQLiteConnection
    private let handle: OpaquePointer

    init(of connection: SQLiteConnection) throws {
        self.connection = connection
        handle = try #require(Mirror(reflecting: connection).descendant("handle") as? OpaquePointer)
        sqlite3_trace_v2(
            handle, UInt32(SQLITE_TRACE_PROFILE),
            { _, context, statement, _ in
                guard let context, let statement else { return 0 }
                let steps = Unmanaged<SQLiteSteps>.fromOpaque(context).takeUnretainedValue()
                steps.count += Int(
                    sqlite3_stmt_status(OpaquePointer(statement), SQLITE_STMTSTATUS_VM_STEP, 1))
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }

    deinit { sqlite3_trace_v2(handle, 0, nil, nil) }
}
