import ArgumentParser
import Files
import Glibc
import SecureMemory

/// An output file that an option specifies. It is either written completely or not created, and
/// never overwrites another file.
package struct OutputFile {
    /// In bytes, with the final zero (PATH_MAX).
    package static let longestPath = 4_096

    package let path: String

    package init(path: String) { self.path = path }

    /// - Parameter option: the value of `--output`; nil or `-` for standard output.
    package static func named(by option: String?) -> OutputFile? {
        option.flatMap { $0 == "-" ? nil : OutputFile(path: $0) }
    }

    /// Refuses `-` for a command that writes no standard output.
    package static func expectFile(_ path: String) throws(ValidationError) {
        guard path == "-" else { return }
        throw ValidationError(
            "the output is a file, not standard output: give a name (`./-` for a file of that name)")
    }

    /// Refuses a file that exists and a folder that can't be written, and decides how the file is
    /// created. Call it before any question and before signing.
    package static func prepared(at path: String?, for content: NewFile.Content) throws -> NewFile? {
        try named(by: path).map { file in try placed(at: path) { try file.prepared(for: content) } }
    }

    package func prepared(for content: NewFile.Content) throws(Output.Failure) -> NewFile {
        guard !path.isEmpty else { throw .unwritable(errno: ENOENT) }
        guard !SQLiteFile.isReserved(path) else { throw .reserved }
        do { return try NewFile(path, holding: content) } catch { throw Output.Failure(error) }
    }

    package var exists: Bool { unsafe access(path, F_OK) == 0 }

    /// The folder that the file is created in.
    package var folder: String { FilePath.folder(of: path) }
}

extension NewFile {
    @discardableResult
    package func write(_ text: String) throws(Output.Failure) -> MadeFile {
        do { return try write(Array(text.utf8)) } catch { throw Output.Failure(error) }
    }

    /// Writes lines that need not fit into memory.
    /// - Throws: the errors of `body`, and `Output.Failure`.
    package func writeLines(_ body: (inout LineWriter) throws -> Void) throws {
        var failure: (any Error)?
        do throws(FileError) {
            try write { file throws(FileError) in
                var lines = LineWriter(to: file)
                do {
                    try body(&lines)
                    try lines.flush()
                } catch {
                    failure = error
                    // Any error ends the file, which then gets no name.
                    throw .system(.write, errno: EIO)
                }
            }
        } catch { throw failure ?? Output.Failure(error) }
    }

    /// Writes a secret, directly from guarded memory.
    /// - Parameter isText: true if a line feed follows it.
    @discardableResult
    package func write(_ secret: borrowing SecureBytes, isText: Bool = true) throws(Output.Failure)
        -> MadeFile
    {
        let made = try secret.withBytes { bytes throws(Output.Failure) in
            do throws(FileError) { return try write(bytes, endsLine: isText) } catch {
                throw Output.Failure(error)
            }
        }
        if made.isOpenToOthers { Messages.warning(Words.openToOthers(path, mode: made.mode)) }
        return made
    }
}

extension Output.Failure {
    package init(_ error: FileError) {
        self =
            switch error {
            case .exists: .exists
            case .system(_, let number): .unwritable(errno: number)
            case .incomplete(let number, let isRemoved): .incomplete(errno: number, isRemoved: isRemoved)
            }
    }
}
