import Files
import Glibc

/// Reports to systemd what the agent does (sd_notify(3)), if `Type=notify` of a unit requests it.
struct Notify: Sendable {
    private let socket: FileDescriptor?

    /// Connects before the sandbox begins.
    /// - Parameter value: the value of NOTIFY_SOCKET.
    init(to value: String?) {
        // The agent also works without systemd. systemd reports a unit that is never ready.
        socket = value.flatMap(UnixAddress.init(notifying:)).flatMap {
            try? $0.connect(SOCK_DGRAM, waits: false)
        }
    }

    /// The descriptor that the sandbox keeps open.
    var descriptor: Int32? { socket?.number }

    func ready() { send("READY=1") }
    func stopping() { send("STOPPING=1") }

    private func send(_ state: String) {
        guard let socket else { return }
        let bytes = Array(state.utf8)
        _ = unsafe bytes.withUnsafeBytes {
            unsafe Glibc.send(socket.number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
        }
    }
}
