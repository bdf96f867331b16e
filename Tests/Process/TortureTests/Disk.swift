import CFaults

/// A folder whose file operations by SQLite are recorded and can be made to fail.
final class Disk {
    private let disk: OpaquePointer

    struct Unavailable: Error {}

    init(folder: String) throws {
        guard let disk = faults_watch(folder) else { throw Unavailable() }
        self.disk = disk
    }

    deinit { faults_unwatch(disk) }

    /// A change of the disk, in the order of SQLite's calls.
    enum Change {
        case create(String)
        case write(String, offset: Int, [UInt8])
        case truncate(String, count: Int)
        case sync(String)
        case delete(String)
        case syncFolder
    }

    /// All changes of the disk so far.
    var changes: [Change] { (0..<faults_record_count(disk)).map { Self.change(faults_record_at(disk, $0)) } }

    private static func change(_ record: faults_record) -> Change {
        let name = withUnsafeBytes(of: record.name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        switch record.change {
        case FAULTS_CREATE: return .create(name)
        case FAULTS_WRITE:
            let bytes = [UInt8](UnsafeBufferPointer(start: record.bytes, count: Int(record.count)))
            return .write(name, offset: Int(record.offset), bytes)
        case FAULTS_TRUNCATE: return .truncate(name, count: Int(record.count))
        case FAULTS_SYNC: return .sync(name)
        case FAULTS_DELETE: return .delete(name)
        default: return .syncFolder
        }
    }

    /// After `after` calls of these kinds, makes the next `times` calls fail with `error`.
    func fail(_ kinds: Int, after: Int, times: Int, with error: Int32) {
        faults_fail(disk, Int32(kinds), Int64(after), Int64(times), error)
    }

    func heal() { faults_fail(disk, 0, 0, 0, 0) }

    var failedCount: Int { Int(faults_failed_count(disk)) }
}
