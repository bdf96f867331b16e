import Files
import Glibc
import Messages
import TestSupport
import Testing

@testable import eosvault_agent

struct AgentSocketTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    private func make(_ name: String) throws -> AgentSocket {
        try AgentSocket(at: SocketPlace(path(name), isShared: false))
    }

    private func mode(_ path: String) throws -> UInt32 { try FileStatus(of: path).mode }

    private func touch(_ path: String) { close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }

    /// As a process that was killed.
    private func abandon(_ socket: AgentSocket) { close(socket.descriptor.number) }

    @Test func theDefaultIsPrivate() throws {
        let place = try SocketPlace(runtime: folder.path, isShared: false)
        #expect(place.path == path("eosvault/agent.sock"))
        let socket = try AgentSocket(at: place)
        #expect(try mode(path("eosvault")) == 0o700)
        #expect(try mode(path("eosvault/agent.sock")) == 0o600)
        socket.remove()
        #expect(try FileStatus.ifPresent(path("eosvault/agent.sock")) == nil)
        abandon(socket)
    }

    @Test(arguments: [nil, "", "run"])
    func aRuntimeFolderIsAbsolute(_ runtime: String?) {
        #expect(throws: AgentSocketError.noRuntimeFolder) {
            try SocketPlace(runtime: runtime, isShared: false)
        }
    }

    // MARK: folders

    /// In each of these, another user could replace the socket.
    @Test(arguments: [0o720, 0o702, 0o777, 0o1777] as [UInt32])
    func aFolderThatOthersWriteIsRefused(mode: UInt32) {
        chmod(folder.path, mode)
        let error = AgentSocketError.folder(folder.path, .writable(mode: mode))
        #expect(throws: error) { try make("agent") }
        #expect(throws: error) { try SocketPlace(runtime: folder.path, isShared: false) }
        #expect(Files.names(in: folder.path) == [])
        #expect(error.words.code == .permissions)
    }

    @Test func theDefaultFolderIsNoLink() throws {
        mkdir(path("elsewhere"), 0o700)
        symlink("elsewhere", path("eosvault"))
        #expect(throws: AgentSocketError.folder(path("eosvault"), .notAFolder)) {
            try SocketPlace(runtime: folder.path, isShared: false)
        }
        // A link to the folder of --socket is resolved first.
        let place = try SocketPlace(path("eosvault/agent"), isShared: false)
        #expect(place.path == path("elsewhere/agent"))
    }

    @Test func aMissingFolderIsNotMade() {
        #expect(throws: AgentSocketError.system(path("missing/"), errno: ENOENT)) {
            try make("missing/agent")
        }
        #expect(Files.names(in: folder.path) == [])
    }

    @Test(arguments: ["", "/", "run/..", "/run/.", "a\u{0}b"])
    func aPathNamesASocket(_ path: String) {
        #expect(throws: AgentSocketError.invalidPath(path)) { try SocketPlace(path, isShared: false) }
    }

    @Test func thePathHasALimit() throws {
        let longest = String(repeating: "a", count: 107 - folder.path.utf8.count - 1)
        abandon(try make(longest))
        let error = AgentSocketError.pathTooLong(path(longest + "a"))
        #expect(throws: error) { try make(longest + "a") }
        #expect(error.words.message.hasSuffix(": the path has 108 bytes; the path of a socket can have 107"))
    }

    /// With other users, the administrator owns the folder, and a group may only add files.
    @Test func aSharedSocketIsInAFolderOfRoot() throws {
        let isRoot = geteuid() == 0
        chmod(folder.path, 0o3770)
        if isRoot {
            let socket = try AgentSocket(at: SocketPlace(path("agent"), isShared: true))
            #expect(try mode(path("agent")) == 0o660)
            abandon(socket)
            for mode in [0o770, 0o3772] as [UInt32] {
                chmod(folder.path, mode)
                #expect(throws: AgentSocketError.folder(folder.path, .writable(mode: mode))) {
                    try SocketPlace(path("agent"), isShared: true)
                }
            }
            chown(folder.path, 4242, 4242)
        }
        chmod(folder.path, 0o700)
        let owner = isRoot ? 4242 : geteuid()
        #expect(throws: AgentSocketError.folder(folder.path, .notOfRoot(owner: owner))) {
            try SocketPlace(path("agent"), isShared: true)
        }
        if isRoot {
            #expect(throws: AgentSocketError.folder(folder.path, .notOwned(owner: owner))) {
                try make("agent")
            }
            chown(folder.path, 0, 0)
        }
    }

    // MARK: what has the name already

    @Test func anotherAgentIsNotReplaced() throws {
        let first = try make("agent")
        let before = try FileStatus(of: path("agent")).identity
        #expect(throws: AgentSocketError.running(path("agent"))) { try make("agent") }
        #expect(try FileStatus(of: path("agent")).identity == before)
        abandon(first)
        let second = try make("agent")
        #expect(throws: AgentSocketError.running(path("agent"))) { try make("agent") }
        abandon(second)
    }

    /// A socket keeps its inode while it is open, so another one has another inode.
    @Test func onlyItsOwnSocketIsRemoved() throws {
        let first = try make("agent")
        unlink(path("agent"))
        first.remove()
        let second = try make("agent")
        first.remove()
        #expect(try FileStatus(of: path("agent")).isSocket)
        second.remove()
        #expect(Files.names(in: folder.path) == [])
        for socket in [first, second] { abandon(socket) }
    }

    /// Its clients wait, so the connection of the check would wait too.
    @Test func aBusyAgentIsNotReplaced() throws {
        let listener = try UnixAddress.socket(SOCK_STREAM, waits: true)
        let address = try #require(UnixAddress(path: path("agent")))
        #expect(address.withPointer { bind(listener.number, $0, $1) } == 0)
        #expect(listen(listener.number, 0) == 0)
        let first = try address.connect(waits: false)
        #expect(throws: AgentSocketError.running(path("agent"))) { try make("agent") }
        for file in [listener, first] { close(file.number) }
    }

    /// An agent that starts holds the folder.
    @Test func twoStartsDoNotMix() throws {
        try OpenFile(folder.path).withDescriptor { held in
            #expect(flock(held.number, LOCK_EX) == 0)
            #expect(throws: AgentSocketError.running(path("agent"))) { try make("agent") }
        }
        abandon(try make("agent"))
    }

    @Test func onlyASocketIsReplaced() throws {
        touch(path("file"))
        symlink("file", path("link"))
        mkdir(path("folder"), 0o700)
        mkfifo(path("pipe"), 0o600)
        for name in ["file", "link", "folder", "pipe"] {
            #expect(throws: AgentSocketError.notASocket(path(name))) { try make(name) }
        }
        #expect(Files.names(in: folder.path).sorted() == ["file", "folder", "link", "pipe"])
    }

    // MARK: connections

    @Test func connectionsDoNotWait() throws {
        let socket = try make("agent")
        #expect(try socket.accept() == nil)
        let client = try #require(UnixAddress(path: path("agent"))).connect()
        let connection = try #require(try socket.accept())
        #expect(fcntl(connection.number, F_GETFL) & O_NONBLOCK != 0)
        #expect(fcntl(connection.number, F_GETFD) & FD_CLOEXEC != 0)
        #expect(try Peer(of: connection) == Peer(uid: geteuid(), pid: getpid()))
        #expect(try socket.accept() == nil)
        for file in [client, connection, socket.descriptor] { close(file.number) }
    }

    // MARK: a socket of systemd

    private func inherited(_ file: FileDescriptor, process: String? = "\(getpid())", count: String? = "1")
        throws
        -> AgentSocket?
    {
        try AgentSocket(inherited: process, count: count, at: file)
    }

    @Test func aListeningSocketIsInherited() throws {
        let own = try make("agent")
        #expect(try inherited(own.descriptor, process: nil) == nil)
        #expect(try inherited(own.descriptor, process: "1") == nil)
        #expect(throws: AgentSocketError.inherited(.count)) { try inherited(own.descriptor, count: "2") }
        #expect(throws: AgentSocketError.inherited(.count)) { try inherited(own.descriptor, count: nil) }
        let socket = try #require(try inherited(own.descriptor))
        socket.remove()
        #expect(try FileStatus(of: path("agent")).isSocket)
        abandon(own)
    }

    @Test func anotherDescriptorIsNotInherited() throws {
        let other = [
            (socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0), AgentSocketError.Inherited.notUnix),
            (open("/dev/null", O_RDONLY), .notUnix),
            (socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0), .notStream),
            (socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0), .notListening),
        ]
        for (number, fault) in other {
            #expect(number > 2)
            #expect(throws: AgentSocketError.inherited(fault)) { try inherited(FileDescriptor(number)) }
            close(number)
        }
    }
}
