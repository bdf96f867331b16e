import Files
import Glibc
import Hardening
import TestSupport
import Testing

@testable import eosvault_agent

struct NotifyTests {
    private func receive(at value: String) throws -> [String] {
        let address = try #require(UnixAddress(notifying: value))
        let manager = try UnixAddress.socket(SOCK_DGRAM, waits: false)
        defer { close(manager.number) }
        #expect(address.withPointer { bind(manager.number, $0, $1) } == 0)
        let notify = Notify(to: value)
        notify.ready()
        notify.stopping()
        if let number = notify.descriptor { close(number) }
        var buffer = [UInt8](repeating: 0, count: 100)
        return (0..<3).compactMap { _ in
            let count = recv(manager.number, &buffer, buffer.count, 0)
            return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
        }
    }

    @Test func systemdIsTold() throws {
        let folder = try TemporaryFolder()
        let expected = ["READY=1", "STOPPING=1"]
        #expect(try receive(at: folder.path + "/notify") == expected)
        #expect(try receive(at: "@eosvault-test-\(getpid())") == expected)
    }

    /// Landlock limits new connections to abstract names, not the one that exists.
    @Test func systemdIsToldFromTheSandbox() async {
        await #expect(processExitsWith: .success) {
            let value = "@eosvault-test-\(getpid())"
            let address = try #require(UnixAddress(notifying: value))
            let manager = try UnixAddress.socket(SOCK_DGRAM, waits: false)
            #expect(address.withPointer { bind(manager.number, $0, $1) } == 0)
            let notify = Notify(to: value)
            let number = try #require(notify.descriptor)
            try Confinement.begin(.descriptor(number) + .descriptor(manager.number), .agent)
            notify.ready()
            var buffer = [UInt8](repeating: 0, count: 100)
            #expect(recv(manager.number, &buffer, buffer.count, 0) == 7)
        }
    }

    @Test(arguments: [
        nil, "", "notify", "vsock:2:1234", "/missing/notify", "/" + String(repeating: "a", count: 107),
    ])
    func nobodyIsTold(_ value: String?) {
        let notify = Notify(to: value)
        #expect(notify.descriptor == nil)
        notify.ready()
    }
}
