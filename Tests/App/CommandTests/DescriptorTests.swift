import Glibc
import TestSupport
import Testing

/// Descriptors that the program inherits.
struct DescriptorTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func path(_ name: String) -> String { folder.path + "/" + name }

    /// The read end of a named pipe.
    private func pipe(_ name: String) throws -> Int32 {
        guard mkfifo(path(name), 0o600) == 0 else { throw Job.Failure.system("mkfifo", errno) }
        let descriptor = open(path(name), O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { throw Job.Failure.system("open", errno) }
        return descriptor
    }

    /// Whether no process has the write end open.
    private func isAtEnd(_ pipe: Int32) -> Bool {
        var byte: UInt8 = 0
        return read(pipe, &byte, 1) == 0
    }

    /// Before it reads anything, the program closes each descriptor that no argument names, and
    /// keeps the others.
    @Test(arguments: [["--abi", "dex=/dev/fd/8"], ["--abi=dex=/proc/self/fd/8"]])
    func closesUnnamedDescriptors(arguments: [String]) throws {
        let (unnamed, named) = (try pipe("unnamed"), try pipe("named"))
        guard mkfifo(path("slow"), 0o600) == 0 else { throw Job.Failure.system("mkfifo", errno) }
        let job = try Job(
            ["inspect", "transaction", "--abi", "other=slow"] + arguments, environment: ["LANG": "C.UTF-8"],
            directory: folder.path,
            shell: #"exec "$@" 5> unnamed 8> named 9>&5"#)
        // The program opens this pipe only after it closed the other descriptors.
        var writer: Int32 = -1
        while writer < 0 {
            usleep(1_000)
            writer = open(path("slow"), O_WRONLY | O_NONBLOCK | O_CLOEXEC)
            guard writer >= 0 || errno == ENXIO else { throw Job.Failure.system("open", errno) }
        }
        #expect(isAtEnd(unnamed))
        #expect(!isAtEnd(named))
        close(writer)
        #expect(try job.next().event == .exited(1))
        #expect(isAtEnd(named))
        close(unnamed)
        close(named)
    }
}
