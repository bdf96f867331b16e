import CShim
import Glibc

/// New content for a file that may exist: readers see the complete old content or the complete new
/// content.
public struct ReplacementFile: Sendable {
    public let path: String

    public init(_ path: String) { self.path = path }

    /// Writes a temporary file of mode 0600 next to it, syncs it and renames it. The content must
    /// not be secret: where the power fails, the temporary file is left. Signals wait meanwhile.
    /// - Throws: `system`.
    public func write(_ bytes: [UInt8]) throws(FileError) {
        try HeldSignals.during { () throws(FileError) in
            let temporary = NewFile.temporaryPath(in: NewFile.folder(of: path))
            let descriptor = unsafe files_open_new(temporary)
            guard descriptor >= 0 else { throw .system(.create, errno: errno) }
            defer { close(descriptor) }
            do throws(FileError) {
                unsafe try NewFile.write(bytes.span.bytes, to: descriptor)
                guard fsync(descriptor) == 0 else { throw FileError.system(.sync, errno: errno) }
                guard unsafe rename(temporary, path) == 0 else { throw FileError.system(.name, errno: errno) }
            } catch {
                unsafe unlink(temporary)
                throw error
            }
        }
    }
}
