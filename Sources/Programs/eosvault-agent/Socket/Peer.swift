import CAgent
import Files
import Glibc
import Messages
import Signing

/// The process at the other end of a connection. Only its user decides whether it is served: any
/// process can choose its name.
struct Peer: Equatable, Sendable {
    let uid: UInt32
    /// 0 for a process that has no id here, in another namespace.
    let pid: Int32
    /// The name of its program, in printable ASCII; empty if it is not known.
    let program: String

    /// - Throws: `system`.
    init(of connection: FileDescriptor) throws(FileError) {
        var peer = agent_peer()
        guard unsafe agent_peer(connection.number, &peer) == 0 else { throw .system(.inspect, errno: errno) }
        self.init(uid: peer.uid, pid: peer.pid)
    }

    init(uid: UInt32, pid: Int32) {
        (self.uid, self.pid) = (uid, pid)
        program = pid > 0 ? Self.name(of: pid) : ""
    }

    private static func name(of pid: Int32) -> String {
        // The kernel limits it to 15 bytes.
        let name = try? OpenFile("/proc/\(pid)/comm").withDescriptor { file throws(FileError) in
            try file.bytesToEnd(atMost: 16)
        }
        let bytes = (name ?? []).prefix { $0 != UInt8(ascii: "\n") }.prefix(16)
        return String(
            decoding: bytes.map { (0x20..<0x7f).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
    }

    /// - Parameter others: users other than the agent's that may connect.
    func isAllowed(by others: Set<UInt32>) -> Bool { uid == geteuid() || others.contains(uid) }

    /// For records of signatures.
    var requester: Requester? {
        Requester(uid: uid, program: program.isEmpty ? "pid \(pid)" : "\(program), pid \(pid)")
    }
}
