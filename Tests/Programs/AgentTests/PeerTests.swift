import CChild
import Files
import Glibc
import Signing
import TestSupport
import Testing

@testable import eosvault_agent

struct PeerTests {
    /// A process can have any name.
    @Test func theNameIsPrintable() throws {
        let folder = try TemporaryFolder()
        let program = folder.path + "/a\u{1b}b\u{e9}-0123456789"
        symlink("/bin/sleep", program)
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        defer { close(null) }
        let process = withCStrings([program, "60"]) { arguments in
            withCStrings([]) { child_start(program, arguments, $0, "/", null, null, null, nil, nil, 0) }
        }
        try #require(process > 0)
        defer {
            kill(process, SIGKILL)
            waitpid(process, nil, 0)
        }
        // The kernel keeps 15 bytes, and each byte that is not printable ASCII becomes a mark.
        let expected = "a?b??-012345678"
        var peer = Peer(uid: 7, pid: process)
        // The child has another name until it runs the program.
        while peer.program != expected, waitpid(process, nil, WNOHANG) == 0 {
            usleep(1000)
            peer = Peer(uid: 7, pid: process)
        }
        #expect(peer.program == expected)
        #expect(peer.requester == Requester(uid: 7, program: "\(expected), pid \(process)"))
    }

    @Test func aProcessMayHaveNoName() {
        #expect(Peer(uid: 7, pid: 0).requester == Requester(uid: 7, program: "pid 0"))
        // Higher than any process.
        #expect(Peer(uid: 7, pid: .max).requester == Requester(uid: 7, program: "pid \(Int32.max)"))
    }

    @Test func onlyTheUserDecides() {
        let own = geteuid()
        #expect(Peer(uid: own, pid: 1).isAllowed(by: []))
        #expect(!Peer(uid: own + 1, pid: getpid()).isAllowed(by: []))
        #expect(!Peer(uid: own + 1, pid: getpid()).isAllowed(by: [own, own + 2]))
        #expect(Peer(uid: own + 1, pid: 0).isAllowed(by: [own + 1]))
    }

    /// The kernel shows 65534 for every user that a namespace does not map.
    @Test(arguments: ["65534", "4294967295", "4294967296", "-1", "", "root", "1 "])
    func notEveryUserCanBeAllowed(_ argument: String) {
        #expect(UserID(argument: argument) == nil)
        #expect(UserID(argument: "1000")?.number == 1000)
    }
}
