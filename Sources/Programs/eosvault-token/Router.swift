import CToken
import Codecs
import Files
import Glibc
import SecureMemory
import Tokens

/// Passes requests on to the processes that load modules, and their answers back. A process that
/// does not answer in time is killed.
struct Router: ~Copyable {
    private var workers: [UInt32: Worker] = [:]
    /// A request with a PIN is in guarded memory only.
    private var memory: ReusedBytes

    init() throws { memory = try ReusedBytes(capacity: TokenRequest.maximumCount) }

    /// Runs until standard input ends.
    consuming func run() {
        while let count = Frame.count(from: .standardInput), serve(count) {}
        for worker in workers.values { worker.finish() }
    }

    /// - Returns: false if the requests end in the middle of one.
    private mutating func serve(_ count: Int) -> Bool {
        guard (5...TokenRequest.maximumCount).contains(count) else { return false }
        var answer: [UInt8]?
        var workers = workers
        memory.lend(count) { span in
            guard (try? FileDescriptor.standardInput.fill(&span)) == count else { return }
            let channel = (0..<4).reversed().reduce(0) { $0 << 8 | UInt32(span.bytes[byte: $1]) }
            let request = span.bytes.extracting(4..<count)
            // A PIN follows its request, and is not copied.
            let length = request[byte: 0] == 4 ? min(3, request.byteCount) : request.byteCount
            let message = try? TokenRequest((0..<length).map { request[byte: $0] })
            if case .load(_, let milliseconds) = message, workers[channel] == nil {
                workers[channel] = Worker(milliseconds)
            }
            if message == .close {
                workers.removeValue(forKey: channel)?.finish()
                answer = TokenAnswer.done([]).bytes
            } else {
                answer = workers[channel]?.answer(to: request, message) ?? TokenAnswer.ended(signal: 0).bytes
            }
        }
        self.workers = workers
        return answer.map { Frame.send($0, to: .standardOutput) } ?? false
    }
}

/// A message: its length in four bytes, then its bytes.
enum Frame {
    /// Waits for the length of the next message; nil at the end.
    static func count(from file: FileDescriptor) -> Int? {
        var header = [UInt8](repeating: 0, count: 4)
        guard (try? header.withMutableRawSpan({ span throws(FileError) in try file.fill(&span) })) == 4 else {
            return nil
        }
        return count(header)
    }

    static func count(_ header: [UInt8]) -> Int { header.reversed().reduce(0) { $0 << 8 | Int($1) } }

    static func send(_ bytes: [UInt8], to file: FileDescriptor) -> Bool {
        var writer = ByteWriter()
        writer.write(integer: UInt32(bytes.count))
        writer.write(bytes: bytes)
        return unsafe (try? file.write(writer.bytes.span.bytes)) != nil
    }
}
