import CAgent
import Glibc
import Signing

/// The socket at which clients connect.
struct Listener {
    let descriptor: Int32
    /// Other users whose processes may connect.
    let allowed: Set<UInt32>

    init(path: String, allowing allowed: Set<UInt32>) throws {
        self.allowed = allowed
        unlink(path)
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let r = withUnsafePointer(to: &address) { p in p.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, size) } }
        if r != 0 || listen(descriptor, 128) != 0 { perror("listen") }
    }

    /// The next connection of an allowed user; nil if none waits.
    func accept() -> (socket: Int32, requester: Requester?)? {
        while true {
            let socket = agent_accept(descriptor)
            guard socket >= 0 else { return nil }
            var peer = agent_peer()
            if unsafe agent_peer(socket, &peer) == 0, peer.uid == geteuid() || allowed.contains(peer.uid) {
                return (socket, Requester(uid: peer.uid, program: "pid \(peer.pid)"))
            }
            close(socket)
        }
    }
}
