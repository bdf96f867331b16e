import CAgent
import Files
import Glibc

/// A child process that starts programs. It was forked before the agent had a secret, and has none
/// of the agent's files.
///
/// For each question it makes a process of its own, which runs the program, and it passes the agent
/// the other end of the connection to that process. The end of either one is the end of a
/// connection, so the other one notices it.
enum ConsentStarter {
    /// Forks. Call it while the process has one thread, and before the sandbox.
    /// - Returns: the connection to the child.
    static func start(_ path: ConsentPath) throws(ConsentError) -> FileDescriptor {
        guard let (own, other) = connection() else { throw .noStarter(errno: errno) }
        let parent = getpid(), child = agent_fork()
        if child == 0 { run(other, path, parent: parent) }
        let number = errno
        close(other.number)
        guard child > 0 else {
            close(own.number)
            throw .noStarter(errno: number)
        }
        return own
    }

    /// Both ends of a connection.
    private static func connection() -> (FileDescriptor, FileDescriptor)? {
        var ends: [Int32] = [-1, -1]
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        guard unsafe socketpair(AF_UNIX, type, 0, &ends) == 0 else { return nil }
        return (FileDescriptor(ends[0]), FileDescriptor(ends[1]))
    }

    /// Runs in the child.
    private static func run(_ agent: FileDescriptor, _ path: ConsentPath, parent: Int32) -> Never {
        guard agent_separate(parent) == 0 else { agent_exit(1) }
        OpenFile.closeAll(except: [agent.number])
        // Children that have ended are forgotten. A closed pipe is an error.
        for number in [SIGCHLD, SIGPIPE] { signal(number, SIG_IGN) }
        // The agent sends a byte for each question.
        while (try? agent.bytes(1))?.count == 1 {
            guard let (own, other) = connection() else { agent_exit(1) }
            if agent_fork() == 0 {
                close(agent.number)
                close(own.number)
                ConsentRun.serve(other, path)
            }
            // If the fork failed, the agent finds that the connection has no other end.
            close(other.number)
            guard agent_send_descriptor(agent.number, own.number) == 0 else { agent_exit(1) }
            close(own.number)
        }
        agent_exit(0)
    }
}

extension FileDescriptor {
    /// Reads from a stream until there are `count` bytes.
    /// - Returns: fewer at the end of the stream.
    /// - Throws: `system`.
    func bytes(_ count: Int) throws(FileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let filled = try bytes.withMutableRawSpan { span throws(FileError) in try fill(&span) }
        bytes.removeLast(count - filled)
        return bytes
    }
}
