import CAgent
import Files
import Glibc

/// Wakes a thread that waits.
final class Bell: Sendable {
    /// Readable after `ring`, until `clear`. It stays open in the sandbox.
    let descriptor: Int32

    /// - Throws: `system`.
    init() throws(FileError) {
        descriptor = agent_event()
        guard descriptor >= 0 else { throw .system(.open, errno: errno) }
    }

    func ring() {
        var one: UInt64 = 1
        _ = unsafe write(descriptor, &one, 8)
    }

    func clear() {
        var count: UInt64 = 0
        _ = unsafe read(descriptor, &count, 8)
    }

    /// Waits until the bell rings, or for this number of seconds.
    func wait(seconds: Double?) {
        var waited = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = unsafe poll(&waited, 1, seconds.map { Int32(clamping: Int64($0 * 1_000) + 1) } ?? -1)
        clear()
    }
}
