import Glibc

/// New content for a file that may exist: readers see the complete old content or the complete new
/// content.
package struct ReplacementFile: Sendable {
    package let path: String

    package init(_ path: String) { self.path = path }

    /// Writes a temporary file of mode 0600 next to it, syncs it and renames it. The content must
    /// not be secret: where the power fails, the temporary file is left. Signals wait meanwhile.
    /// - Throws: `system`.
    package func write(_ bytes: [UInt8]) throws(FileError) {
        _ = try HeldSignals.during { () throws(FileError) in
            try NewFile.writeTemporary(
                { file throws(FileError) in unsafe try file.write(bytes.span.bytes) }, for: path
            ) { temporary throws(FileError) in
                guard unsafe rename(temporary, path) == 0 else { throw .last(.rename) }
            }
        }
    }
}
