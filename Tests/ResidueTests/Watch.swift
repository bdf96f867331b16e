import CChild
import CResidue
import Glibc
import TestSupport

/// A program, run from one system call to the next, and searched for secrets whenever it gives
/// something out, and as it ends.
struct Watch {
    enum Stream {
        /// A temporary file, read afterwards.
        case caught
        case terminal
        /// A disk without room.
        case full
        /// A pipe whose reader is gone.
        case broken
    }

    /// What the person at the terminal does when the program waits for a line.
    enum Answer {
        case line(String)
        /// The word of the phrase that was shown which is asked for.
        case word
        /// A part of a line, and a signal before the rest of it.
        case interrupted(String, by: Int32)
    }

    /// Where something came out of the program.
    enum Outlet: Hashable, CustomStringConvertible {
        case output, error, terminal
        case file(String)

        var description: String {
            switch self {
            case .output: "standard output"
            case .error: "standard error"
            case .terminal: "the terminal"
            case .file(let name): "the file \(name)"
            }
        }
    }

    struct Failure: Error {
        let what: String
        let errno: Int32
    }

    /// nil: the program that is tested.
    var path: String?
    var arguments: [String]
    var folder: String
    var input: [UInt8] = []
    var output = Stream.caught
    var error = Stream.caught
    /// Nil: the program has no terminal.
    var answers: [Answer]?
    var environment: [String: String] = [:]
    var fileSizeLimit: Int?
    var isHeldToModes = false
    /// Secrets that may still be in hand when data goes to standard output or into an output file;
    /// nil: any.
    var held: Set<String>?
    /// What the program is there to give out: the names of secrets, by where they come out.
    var shown: [Outlet: Set<String>] = [:]
    /// A signal at the first output with a secret in hand.
    var signalAtOutput: Int32?
    /// It can't take RLIMIT_CORE away.
    var keepsCores = false
    /// Told of random bytes that the program got.
    var onRandom: (([UInt8], SecretTable) throws -> Void)?
    /// Told of each system call before it is made.
    var onCall: ((residue_stop) throws -> Void)?
}

extension Watch {
    /// What came of a run.
    struct Report {
        /// nil: a signal ended it.
        var status: Int32?
        var signal: Int32 = 0
        var hasDumpedCore = false
        /// How often it was kept from taking RLIMIT_CORE away.
        var keptCores = 0
        var output: [UInt8] = []
        var error: [UInt8] = []
        var terminal: [UInt8] = []
        /// Secrets where none should be, one a line.
        var residues: [String] = []
        var stops = 0
        var bytes: UInt64 = 0
        /// How often it called futex after it had read a secret. Nothing is contended in one
        /// thread, so that is a library that starts at its first use (pthread_once).
        var lateStarts = 0
        /// How often a secret was seen in a guarded allocation before the end.
        var guarded = 0
        var pieces = 0

        var said: String { String(decoding: error + terminal, as: UTF8.self) }
    }

    func run(_ table: SecretTable) throws -> Report {
        let before = Self.contents(of: folder)
        let streams = try WatchedStreams(input: input, output: output, error: error)
        defer { streams.close() }
        var session = try Session(watch: self, table: table, streams: streams)
        defer { session.end() }
        var report = try session.play()
        (report.output, report.error) = (Files.contents(of: streams.output), Files.contents(of: streams.error))
        for (outlet, bytes) in [(Outlet.output, report.output), (.error, report.error), (.terminal, report.terminal)] {
            judge(bytes, outlet, table, &report)
        }
        for (name, bytes) in Self.contents(of: folder) where before[name] != bytes {
            judge(bytes, .file(name), table, &report)
        }
        report.pieces = table.count
        return report
    }

    private func judge(_ bytes: [UInt8], _ outlet: Outlet, _ table: SecretTable, _ report: inout Report) {
        report.bytes += UInt64(bytes.count)
        for finding in table.find(in: bytes)
        where !(shown[outlet] ?? []).contains(table.secret(of: finding.pattern).name) {
            report.residues.append("\(command): in \(outlet): \(table.words(for: finding)), at \(finding.address)")
        }
    }

    /// As a person would type it.
    var command: String { (["\(path?.split(separator: "/").last ?? "eosvault")"] + arguments).joined(separator: " ") }

    /// Every file below a folder.
    private static func contents(of folder: String, below prefix: String = "") -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in Files.names(in: folder) {
            let (path, place) = (folder + "/" + name, prefix + name)
            var status = stat()
            guard lstat(path, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR {
                contents.merge(self.contents(of: path, below: place + "/")) { first, _ in first }
            } else {
                contents[place] = (try? Files.read(path)) ?? []
            }
        }
        return contents
    }
}

/// The standard streams of a watched program.
struct WatchedStreams {
    let input, output, error: Int32
    /// What the program gets of them; -1 is the terminal.
    let given: (input: Int32, output: Int32, error: Int32)

    init(input bytes: [UInt8], output: Watch.Stream, error: Watch.Stream) throws {
        input = try Self.temporary()
        guard write(input, bytes, bytes.count) == bytes.count else {
            throw Watch.Failure(what: "standard input", errno: errno)
        }
        lseek(input, 0, SEEK_SET)
        self.output = try Self.open(output)
        self.error = try Self.open(error)
        given = (input, output == .terminal ? -1 : self.output, error == .terminal ? -1 : self.error)
    }

    private static func temporary() throws -> Int32 {
        let file = child_temporary_file()
        guard file >= 0 else { throw Watch.Failure(what: "a temporary file", errno: errno) }
        return file
    }

    private static func open(_ stream: Watch.Stream) throws -> Int32 {
        switch stream {
        case .caught, .terminal: return try temporary()
        case .full: return Glibc.open("/dev/full", O_WRONLY | O_CLOEXEC)
        case .broken:
            var ends: [Int32] = [-1, -1]
            guard pipe(&ends) == 0, fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 else {
                throw Watch.Failure(what: "a pipe", errno: errno)
            }
            Glibc.close(ends[0])
            return ends[1]
        }
    }

    func close() { [input, output, error].forEach { _ = Glibc.close($0) } }
}
