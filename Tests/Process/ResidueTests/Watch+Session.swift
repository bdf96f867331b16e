import CResidue
import Glibc
import TestSupport

extension Watch {
    /// One run from start to end, on one thread.
    struct Session: ~Copyable {
        private let watch: Watch
        private let table: SecretTable
        private let run: OpaquePointer
        private var person: Person
        private var report = Report()
        /// The descriptors of the terminal, and those of output files.
        private var terminals: Set<Int32> = []
        private var outputs: Set<Int32> = [STDOUT_FILENO]
        private var opening: String?
        private var wasSignalled = false
        private var hasSearched = false
        /// What the search before this one found in guarded memory: secrets, and the system call.
        private var lastFound: (secrets: Set<String>, call: String) = ([], "")
        /// Whether a secret was read from a file, a pipe or the terminal.
        private var hasReadSecret = false

        init(watch: Watch, table: SecretTable, streams: WatchedStreams) throws {
            (self.watch, self.table) = (watch, table)
            let variables =
                [
                    "HOME": watch.folder, "XDG_STATE_HOME": watch.folder + "/state", "PATH": "/usr/bin:/bin",
                    "LANG": "C.UTF-8",
                    "TERM": "xterm",
                ]
                .merging(watch.environment) { $1 }
            let path = try watch.path ?? BuiltProgram.path
            let words = ([path] + watch.arguments).map { strdup($0) } + [nil]
            let environment = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
            defer { (words + environment).forEach { free($0) } }
            let started = path.withCString { path in
                watch.folder.withCString { folder in
                    words.withUnsafeBufferPointer { words in
                        environment.withUnsafeBufferPointer { environment in
                            var start = residue_start()
                            (start.path, start.directory) = (path, folder)
                            (start.arguments, start.environment) = (
                                words.baseAddress, environment.baseAddress
                            )
                            (start.input, start.output, start.error) = streams.given
                            start.has_terminal = watch.answers != nil
                            start.file_size_limit = Int64(watch.fileSizeLimit ?? -1)
                            start.respects_modes = watch.respectsModes
                            start.keeps_cores = watch.keepsCores
                            return residue_begin(&start)
                        }
                    }
                }
            }
            guard let started else { throw Failure(what: path, errno: errno) }
            run = started
            person = Person(terminal: residue_terminal(run), answers: watch.answers ?? [])
        }

        func end() { residue_end(run) }

        mutating func play() throws -> Report {
            while true {
                let stop = residue_next(run)
                guard stop.error == 0 else {
                    throw Failure(what: "watching \(watch.command)", errno: stop.error)
                }
                switch stop.event {
                case RESIDUE_ENTRY: try enter(stop)
                case RESIDUE_EXIT: try leave(stop)
                case RESIDUE_DEATH: try search(at: stop, "death by a signal")
                default:
                    report.signal = stop.status & 0x7f
                    report.status = report.signal == 0 ? stop.status >> 8 & 0xff : nil
                    report.keptCores = Int(residue_kept_cores(run))
                    report.hasDumpedCore = stop.status & 0x80 != 0
                    person.readScreen()
                    report.terminal = person.seen
                    return report
                }
            }
        }

        // MARK: system calls

        private mutating func enter(_ stop: residue_stop) throws {
            try watch.onCall?(stop)
            let descriptor = Int32(truncatingIfNeeded: stop.arguments.0)
            switch Int(stop.call) {
            case RESIDUE_CALL_EXIT_GROUP: try search(at: stop, "exit_group", isEnd: true)
            case RESIDUE_CALL_WRITE, RESIDUE_CALL_WRITEV, RESIDUE_CALL_SENDTO, RESIDUE_CALL_SENDMSG,
                RESIDUE_CALL_SENDFILE:
                if Int(stop.call) == RESIDUE_CALL_WRITE, outputs.contains(descriptor),
                    let record = watch.onOutput
                {
                    try record(bytes(at: stop.arguments.1, count: Int(stop.arguments.2)))
                }
                try search(
                    at: stop, "write to descriptor \(descriptor)", isData: outputs.contains(descriptor))
                try signalOnce()
            case RESIDUE_CALL_RENAME, RESIDUE_CALL_RENAMEAT, RESIDUE_CALL_LINKAT:
                try search(at: stop, "rename")
            // A page of the vault or its journal.
            case RESIDUE_CALL_PWRITE, RESIDUE_CALL_PWRITEV:
                try search(at: stop, "pwrite to descriptor \(descriptor)")
            case RESIDUE_CALL_FUTEX:
                if hasReadSecret { report.lateStarts += 1 }
                try search(at: stop, "futex")
            case RESIDUE_CALL_OPENAT: opening = text(at: stop.arguments.1)
            case RESIDUE_CALL_CLOSE:
                terminals.remove(descriptor)
                if descriptor > STDERR_FILENO { outputs.remove(descriptor) }
            case RESIDUE_CALL_PPOLL, RESIDUE_CALL_POLL:
                if !terminals.isDisjoint(with: polled(stop)) { try ask() }
            default: break
            }
            if !hasSearched, isSearchPoint(stop) { try search(at: stop, "system call \(stop.call)") }
            hasSearched = false
        }

        /// Whether to search the program at this call. The short form searches at calls that may
        /// block for long or produce output. The long form searches at every kind of call except
        /// those for memory and random bytes, which are part of processing a secret.
        private func isSearchPoint(_ stop: residue_stop) -> Bool {
            switch Int(stop.call) {
            case RESIDUE_CALL_PPOLL, RESIDUE_CALL_POLL, RESIDUE_CALL_FSYNC, RESIDUE_CALL_FDATASYNC,
                RESIDUE_CALL_SLEEP,
                RESIDUE_CALL_READ, RESIDUE_CALL_IOCTL, RESIDUE_CALL_UNLINK, RESIDUE_CALL_UNLINKAT,
                RESIDUE_CALL_FTRUNCATE:
                return true
            case RESIDUE_CALL_MMAP, RESIDUE_CALL_MUNMAP, RESIDUE_CALL_MPROTECT, RESIDUE_CALL_MADVISE,
                RESIDUE_CALL_MLOCK,
                RESIDUE_CALL_MUNLOCK, RESIDUE_CALL_BRK, RESIDUE_CALL_GETRANDOM:
                return false
            default: return Residue.isLong
            }
        }

        private mutating func leave(_ stop: residue_stop) throws {
            guard stop.result >= 0 else { return }
            switch Int(stop.call) {
            case RESIDUE_CALL_OPENAT:
                if opening == "/dev/tty" { terminals.insert(Int32(stop.result)) }
                // An output file: a file without a name in a relative folder, as in the command's
                // argument. The vault's folder is an absolute path.
                let unnamed: UInt64 = 0x40_0000  // the bit that only O_TMPFILE has
                if UInt64(stop.arguments.2) & unnamed != 0, opening?.hasPrefix("/") == false {
                    outputs.insert(Int32(stop.result))
                }
            case RESIDUE_CALL_READ:
                person.hasAnswered = false
                if !hasReadSecret {
                    hasReadSecret = !table.find(in: bytes(at: stop.arguments.1, count: Int(stop.result)))
                        .isEmpty
                }
            case RESIDUE_CALL_GETRANDOM:
                try watch.onRandom?(bytes(at: stop.arguments.0, count: Int(stop.result)), table)
            default: break
            }
        }

        private mutating func signalOnce() throws {
            guard let signal = watch.signalAtOutput, !wasSignalled, report.guarded > 0 else { return }
            wasSignalled = true
            guard residue_signal(run, signal) == 0 else {
                throw Failure(what: "signal \(signal)", errno: errno)
            }
        }

        private mutating func ask() throws {
            person.readScreen()
            try watch.onScreen?(person.seen)
            guard try person.answer(process: residue_process(run)) else {
                throw Failure(
                    what:
                        "\(watch.command) asked for unexpected input: \(String(decoding: person.seen, as: UTF8.self))",
                    errno: 0)
            }
        }

        // MARK: memory of the program

        private func bytes(at address: UInt64, count: Int) -> [UInt8] {
            var bytes = [UInt8](repeating: 0, count: count)
            let read = residue_read(run, address, &bytes, count)
            return Array(bytes.prefix(max(read, 0)))
        }

        private func text(at address: UInt64) -> String {
            String(decoding: bytes(at: address, count: 256).prefix { $0 != 0 }, as: UTF8.self)
        }

        /// The descriptors that a poll waits for input on.
        private func polled(_ stop: residue_stop) -> [Int32] {
            let size = 8
            let bytes = bytes(at: stop.arguments.0, count: size * min(Int(stop.arguments.1), 8))
            return stride(from: 0, to: bytes.count / size * size, by: size).compactMap { start in
                bytes.withUnsafeBytes { bytes in
                    let events = bytes.loadUnaligned(fromByteOffset: start + 4, as: Int16.self)
                    return events & Int16(POLLIN) == 0
                        ? nil : bytes.loadUnaligned(fromByteOffset: start, as: Int32.self)
                }
            }
        }

        /// Searches the whole program.
        /// - Parameters:
        ///   - isData: the command is writing its output.
        ///   - isEnd: no secret may be left, not even in guarded memory.
        private mutating func search(
            at stop: residue_stop, _ call: String, isData: Bool = false, isEnd: Bool = false
        )
            throws
        {
            var hits = [residue_hit](repeating: residue_hit(), count: 1_024)
            let search = residue_scan(
                run, table.table, isEnd || isData && Residue.isLong, watch.folder, &hits, hits.count)
            guard search.error == 0, search.mappings > 0, search.threads > 0 else {
                throw Failure(what: "searching \(Self.text(search.unread))", errno: search.error)
            }
            // A hit that is not stored could be a residue.
            guard search.count <= hits.count else { throw Failure(what: "\(search.count) hits", errno: 0) }
            report.stops += 1
            hasSearched = true
            report.bytes += search.bytes
            if isEnd { judgeLast() }
            lastFound = ([], call)
            for hit in hits.prefix(search.count) {
                // Program files contain English words.
                if hit.place == RESIDUE_PROGRAM, table.isWords(hit.finding.pattern) { continue }
                let secret = table.secret(of: hit.finding.pattern).name
                let isAllowed =
                    hit.place == RESIDUE_GUARDED_MEMORY && !isEnd
                    && !(isData && watch.held?.contains(secret) == false)
                if hit.place == RESIDUE_GUARDED_MEMORY, !isEnd {
                    report.guarded += 1
                    lastFound.secrets.insert(secret)
                }
                guard !isAllowed else { continue }
                let address = String(hit.finding.address, radix: 16)
                report.residues.append(
                    "\(watch.command): at \(call): \(table.words(for: hit.finding)), "
                        + "at 0x\(address): \(Self.text(hit.description))"
                )
            }
        }

        private mutating func judgeLast() {
            guard let held = watch.heldLast else { return }
            for secret in lastFound.secrets.subtracting(held).sorted() {
                report.residues.append(
                    "\(watch.command): at the last system call, \(lastFound.call): \(secret), in guarded memory"
                )
            }
        }

        private static func text<Characters>(_ characters: Characters) -> String {
            withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        }
    }
}

/// The simulated user at the terminal of a watched program.
struct Person {
    let terminal: Int32
    var answers: [Watch.Answer]
    private var output = ShownOutput()
    var seen: [UInt8] { output.bytes }
    private var searched = 0
    /// Whether the program has not read the last answer yet.
    var hasAnswered = false

    init(terminal: Int32, answers: [Watch.Answer]) { (self.terminal, self.answers) = (terminal, answers) }

    /// Reads the output on the terminal.
    mutating func readScreen() {
        guard terminal >= 0 else { return }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(terminal, &buffer, buffer.count)
            guard count > 0 else { return }
            output.append(buffer[..<count])
        }
    }

    /// Whether a terminal shows anything of an output: control sequences alone are no question.
    private static func hasText(_ output: ArraySlice<UInt8>) -> Bool {
        var rest = output
        while let byte = rest.popFirst() {
            if byte == 0x1b {
                rest = rest.drop { !(0x40...0x7e).contains($0) || $0 == UInt8(ascii: "[") }.dropFirst()
            } else if byte > 0x20 {
                return true
            }
        }
        return false
    }

    /// Types the next answer. The program is stopped before it waits for input, so all its output
    /// has arrived.
    /// - Returns: false when there is no answer left.
    mutating func answer(process: pid_t) throws -> Bool {
        guard !hasAnswered else { return true }
        readScreen()
        // Without a question on the screen, the program drops what is typed.
        guard let last = seen.last, last != UInt8(ascii: "\n"), Self.hasText(seen[searched...]) else {
            return true
        }
        guard !answers.isEmpty else { return false }
        hasAnswered = true
        defer { searched = seen.count }
        switch answers.removeFirst() {
        case .line(let line): try type(line + "\n")
        case .word:
            guard let question = ShownPhrase.question(in: seen, from: searched),
                let word = ShownPhrase.words(in: seen)[question.position]
            else {
                throw Watch.Failure(
                    what:
                        "the program asked for no word: \(String(decoding: seen[searched...], as: UTF8.self))",
                    errno: 0)
            }
            try type(word + "\n")
        case .interrupted(let half, let signal):
            try type(half)
            hasAnswered = false
            guard kill(process, signal) == 0 else {
                throw Watch.Failure(what: "signal \(signal)", errno: errno)
            }
        }
        return true
    }

    private func type(_ text: String) throws {
        let bytes = Array(text.utf8)
        guard write(terminal, bytes, bytes.count) == bytes.count else {
            throw Watch.Failure(what: "the terminal", errno: errno)
        }
    }
}
