import CShim
import Glibc
import KeyVault
import SecureMemory

/// A file that is made whole or not at all, and never over another one.
struct OutputFile {
    /// Bytes, the ending zero among them (PATH_MAX).
    static let longestPath = 4_096

    let path: String

    /// Refuses a file that exists, or a folder that can't be written, before anything is asked or signed.
    func expectMissing() throws(Output.Failure) {
        var status = stat()
        guard !path.isEmpty else { throw .unwritable(errno: ENOENT) }
        guard !VaultLocation.isReserved(path) else { throw .reserved }
        if unsafe lstat(path, &status) == 0 { throw .exists }
        guard unsafe access(folder, W_OK) == 0 else { throw .unwritable(errno: errno) }
    }

    /// The one that it is to stand in.
    var folder: String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "." }

    func write(_ text: String) throws(Output.Failure) { try write { Output.write(text, to: $0) } }

    /// A secret, straight from guarded memory.
    /// - Parameter isText: A line ending follows it.
    func write(_ secret: borrowing SecureBytes, isText: Bool = true) throws(Output.Failure) {
        try secret.withBytes { span throws(Output.Failure) in
            try write { Output.write(span, to: $0) && (!isText || Output.write("\n", to: $0)) }
        }
    }

    /// Writes a temporary file beside it, syncs it, and gives it its name unless that is taken.
    /// - Parameter content: Writes what is to be in it to a descriptor; false, with errno, where it can't.
    private func write(_ content: (Int32) -> Bool) throws(Output.Failure) {
        let temporary = "\(folder)/.eosvault.\(String(UInt64.random(in: 0...UInt64.max), radix: 16)).tmp"
        let file = unsafe open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw .unwritable(errno: errno) }
        var failure: Int32?
        if !content(file) || fsync(file) != 0 { failure = errno }
        close(file)
        if failure == nil, unsafe shim_rename_without_replacing(AT_FDCWD, temporary, AT_FDCWD, path) != 0 { failure = errno }
        guard let failure else {
            // The name itself must last too; a folder that can't be synced is no reason to take the file back.
            let directory = unsafe open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if directory >= 0 {
                fsync(directory)
                close(directory)
            }
            return
        }
        unsafe unlink(temporary)
        throw failure == EEXIST ? .exists : .unwritable(errno: failure)
    }
}
