import Files
import Glibc
import JSON
import Scanning
import Shell

/// Where the message goes: a new file, a pipe, or a terminal.
struct Delivery {
    static let standardOutput = "standard output"

    private let file: NewFile?

    /// Refuses a file that exists, before anything is read.
    init(_ path: String?) throws(ScanFailure) {
        do throws(FileError) {
            file = try path.map { path throws(FileError) in try NewFile(path, holding: .publicData) }
        } catch { throw .unwritable(path ?? "", error) }
    }

    func write(_ message: ScannedMessage, _ session: ScanSession, asJSON: Bool) throws(ScanFailure) {
        let output: [UInt8]
        do throws(ScanError) { output = try message.output() } catch { throw .scan(error) }
        let bytes = asJSON ? Array((Printable.json(Self.json(message, output, session)) + "\n").utf8) : output
        do throws(FileError) {
            if let file {
                _ = try file.write(bytes)
            } else if isatty(STDOUT_FILENO) == 1 {
                // A text from outside could change what a terminal shows.
                try unsafe FileDescriptor.standardOutput.write(Array(Self.escaped(bytes).utf8).span.bytes)
            } else {
                try unsafe FileDescriptor.standardOutput.write(bytes.span.bytes)
            }
        } catch { throw .unwritable(file?.path ?? Self.standardOutput, error) }
        Messages.note(
            "read \(session.pictures) \(session.pictures == 1 ? "picture" : "pictures"): \(message.description)"
        )
    }

    private static func escaped(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { Printable.line(String($0)) }.joined(separator: "\n")
            + (text.hasSuffix("\n") ? "" : "\n")
    }

    private static func json(_ message: ScannedMessage, _ output: [UInt8], _ session: ScanSession)
        -> JSONValue
    {
        let parsed = try? JSONValue.parse(output)
        let read: JSONValue = [
            "type": .string(message.typeName), "pictures": .number(session.pictures),
            "codes": .number(session.collector.count),
        ]
        return read.adding(message.fileFacts).adding([
            "message": parsed ?? .string(String(decoding: output, as: UTF8.self))
        ])
    }
}
