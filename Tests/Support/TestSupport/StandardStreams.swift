import CChild
import Glibc

/// A system call that a test needs and that failed.
public struct SystemFailure: Error {
    public let step: String
    public let errno: Int32

    public init(_ step: String) { (self.step, errno) = (step, Glibc.errno) }
}

/// The standard streams of a program: files in memory without names, so that no write of the
/// program blocks.
public struct StandardStreams {
    public let input, output, error: Int32

    public init(input bytes: [UInt8] = []) throws {
        (input, output, error) = (try Self.file(bytes), try Self.file(), try Self.file())
    }

    /// - Parameter path: the file that is standard input.
    public init(inputFrom path: String) throws {
        input = open(path, O_RDONLY | O_CLOEXEC)
        guard input >= 0 else { throw SystemFailure("open \(path)") }
        (output, error) = (try Self.file(), try Self.file())
    }

    /// A new file in memory. Reading starts at its beginning.
    public static func file(_ bytes: [UInt8] = []) throws -> Int32 {
        let file = child_temporary_file()
        guard file >= 0, pwrite(file, bytes, bytes.count, 0) == bytes.count else {
            throw SystemFailure("memfd")
        }
        return file
    }

    public func close() { [input, output, error].forEach { _ = Glibc.close($0) } }
}

/// Lends texts as C strings, with a null pointer at the end.
public func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafeMutablePointer<CChar>?]) throws -> Result
) rethrows -> Result {
    let strings = texts.map { strdup($0) } + [nil]
    defer { strings.forEach { free($0) } }
    return try body(strings)
}
