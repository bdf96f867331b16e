import CResidue
import Glibc
import TestSupport

/// Runs a program from one system call to the next and searches its memory for secrets at each
/// output and at its end.
struct Watch {
    enum Stream {
        /// A temporary file, read afterwards.
        case caught
        case terminal
        /// A full disk.
        case full
        /// A pipe without a reader.
        case broken
    }

    /// The user's action when the program waits for a line at the terminal.
    enum Answer {
        case line(String)
        /// Types the requested word of the displayed phrase.
        case word
        /// Types a part of a line; then a signal arrives.
        case interrupted(String, by: Int32)
    }

    /// A place of output.
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

    /// nil means the program under test.
    var path: String?
    var arguments: [String]
    var folder: String
    var input: [UInt8] = []
    var output = Stream.caught
    var error = Stream.caught
    /// nil means that the program has no terminal.
    var answers: [Answer]?
    var environment: [String: String] = [:]
    var fileSizeLimit: Int?
    var respectsModes = false
    /// The secrets that may be in guarded memory while data is written to standard output or to an
    /// output file; nil means any.
    var held: Set<String>?
    /// The secrets that may be in guarded memory at the last system call before the program ends;
    /// nil means any. The short form searches at fewer calls, and this is the last one of them.
    var heldLast: Set<String>?
    /// The secrets that the program is expected to print: names by place of output.
    var shown: [Outlet: Set<String>] = [:]
    /// A signal to send at the first output while a secret is in memory.
    var signalAtOutput: Int32?
    /// Whether the program is kept from lowering RLIMIT_CORE.
    var keepsCores = false
    /// Called with random bytes that the program received.
    var onRandom: (([UInt8], SecretTable) throws -> Void)?
    /// Called before the program is searched while it writes data.
    var onOutput: (([UInt8]) throws -> Void)?
    /// Called with all output on the terminal before the user answers.
    var onScreen: (([UInt8]) throws -> Void)?
    /// Called before each system call.
    var onCall: ((residue_stop) throws -> Void)?
}

extension Watch {
    /// The result of a run.
    struct Report {
        /// nil if a signal ended the program.
        var status: Int32?
        var signal: Int32 = 0
        var hasDumpedCore = false
        /// How often the program was kept from lowering RLIMIT_CORE.
        var keptCores = 0
        var output: [UInt8] = []
        var error: [UInt8] = []
        var terminal: [UInt8] = []
        /// Secrets in forbidden places, one per line.
        var residues: [String] = []
        var stops = 0
        var bytes: UInt64 = 0
        /// The number of futex calls after the program read a secret. One thread has no contention,
        /// so each call is the late initialisation of a library (pthread_once).
        var lateStarts = 0
        /// The number of secrets found in guarded allocations before the end.
        var guarded = 0
        var pieces = 0

        var messages: String { String(decoding: error + terminal, as: UTF8.self) }
    }

    func run(_ table: SecretTable) throws -> Report {
        let before = Self.contents(of: folder)
        let streams = try WatchedStreams(input: input, output: output, error: error)
        defer { streams.close() }
        var session = try Session(watch: self, table: table, streams: streams)
        defer { session.end() }
        var report = try session.play()
        (report.output, report.error) = (
            Files.contents(of: streams.output), Files.contents(of: streams.error)
        )
        for (outlet, bytes) in [
            (Outlet.output, report.output), (.error, report.error), (.terminal, report.terminal),
        ] {
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
            report.residues.append(
                "\(command): in \(outlet): \(table.words(for: finding)), at \(finding.address)")
        }
    }

    /// The command line as typed.
    var command: String {
        (["\(path?.split(separator: "/").last ?? "eosvault")"] + arguments).joined(separator: " ")
    }

    /// The content of every file below a folder.
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
    /// The descriptors that the program receives; -1 means the terminal.
    let given: (input: Int32, output: Int32, error: Int32)

    init(input bytes: [UInt8], output: Watch.Stream, error: Watch.Stream) throws {
        input = try StandardStreams.file(bytes)
        self.output = try Self.open(output)
        self.error = try Self.open(error)
        given = (input, output == .terminal ? -1 : self.output, error == .terminal ? -1 : self.error)
    }

    private static func open(_ stream: Watch.Stream) throws -> Int32 {
        switch stream {
        case .caught, .terminal: return try StandardStreams.file()
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
