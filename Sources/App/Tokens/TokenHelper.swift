import CHelper
import Files
import Glibc
import Hardening
import Tokens

/// `eosvault-token` in the folder of this program. It can start no program in its sandbox, so the
/// process that becomes `eosvault-token` is forked before, and waits.
package enum TokenHelper {
    /// The program has one thread when this is set.
    nonisolated(unsafe) private static var pipes: (request: Int32, answer: Int32)?
    /// Why there is no process.
    nonisolated(unsafe) private static var failure: Int32?
    nonisolated(unsafe) private static var needed: (vault: String, isNeeded: Bool)?

    /// Forks the process. Call it before the sandbox begins, while the process has one thread.
    /// - Parameter modules: the paths of modules that the user named.
    package static func offer(_ modules: [String]) {
        guard unsafe pipes == nil, let path = program else { return }
        var (request, answer): (Int32, Int32) = (-1, -1)
        let words = [name] + modules.flatMap { ["--module", $0] }
        // The new process has its own copy of them.
        var arguments = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { unsafe arguments.forEach { unsafe free($0) } }
        guard unsafe helper_offer(path, &arguments, &request, &answer) == 0 else {
            unsafe failure = errno
            return
        }
        unsafe pipes = (request, answer)
    }

    /// True if the file of a vault can name tokens. It is searched for the scheme of their URIs
    /// before the sandbox begins, and not interpreted: a command for another vault starts no
    /// process.
    package static func isNeeded(by vault: String) -> Bool {
        if let known = unsafe needed, known.vault == vault { return known.isNeeded }
        let isNeeded = unsafe helper_file_contains(vault, "pkcs11:") != 0
        unsafe needed = (vault, isNeeded)
        return isNeeded
    }

    /// The pipes stay open in the sandbox.
    package static var access: FileAccess {
        unsafe pipes.map { .descriptor($0.request) + .descriptor($0.answer) } ?? .none
    }

    /// The connection to the program, which starts at the first request. It can be taken once.
    /// - Parameter seconds: how long each call of a module may take.
    package static func connect(seconds: UInt32) throws(TokenError) -> TokenProgram {
        guard let pipes = unsafe pipes else { throw .noProgram(errno: unsafe failure) }
        unsafe Self.pipes = nil
        return TokenProgram(
            request: FileDescriptor(pipes.request), answer: FileDescriptor(pipes.answer),
            milliseconds: seconds * 1000, isOffered: true)
    }

    private static let name = "eosvault-token"

    /// The path of the program, next to this one.
    private static var program: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe buffer.withUnsafeMutableBytes { bytes in
            guard let base = bytes.baseAddress else { return -1 }
            return unsafe readlink("/proc/self/exe", base.assumingMemoryBound(to: CChar.self), bytes.count)
        }
        guard count > 0, count < buffer.count, let slash = buffer[..<count].lastIndex(of: UInt8(ascii: "/"))
        else { return nil }
        return String(decoding: buffer[...slash], as: UTF8.self) + name
    }
}
