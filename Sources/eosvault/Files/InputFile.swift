import Glibc
import SecureMemory

/// What a command reads: a file, or standard input under the name `-`.
struct InputFile {
    enum Failure: Error, Equatable {
        case missing
        case directory
        case unreadable(errno: Int32)
        case empty
        case tooLong(limit: Int)
        case memory(SecureMemoryError)
        /// A secret was to come from a terminal that would show it.
        case terminal
        /// A folder without a file of vectors.
        case noVectors
    }

    /// No transaction, ABI or vector file is larger; a file that is, is refused after so many bytes.
    static let maximumSize = 16 << 20

    let path: String

    var isStandardInput: Bool { descriptorOfPath == STDIN_FILENO }

    /// Whether it is a descriptor that the program was given.
    var isOpen: Bool { descriptorOfPath != nil }

    /// What errors call it.
    var name: String {
        guard let descriptor = descriptorOfPath else { return Printable.line(path) }
        return descriptor == STDIN_FILENO ? "standard input" : "file descriptor \(descriptor)"
    }

    /// The descriptor that `-`, `/dev/stdin` and `/dev/fd/N` stand for. They are taken for it here, since a process that
    /// can't be dumped can't open what is below its own /proc/self.
    private var descriptorOfPath: Int32? {
        if path == "-" || path == "/dev/stdin" || path == "/proc/self/fd/0" { return STDIN_FILENO }
        for folder in ["/dev/fd/", "/proc/self/fd/"] where path.hasPrefix(folder) {
            return Int32(path.dropFirst(folder.utf8.count))
        }
        return nil
    }

    /// All public bytes.
    func read(atMost limit: Int = maximumSize) throws(Failure) -> [UInt8] {
        try withDescriptor { descriptor throws(Failure) in
            var bytes: [UInt8] = []
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw .unreadable(errno: errno) }
                if count == 0 { break }
                bytes += buffer[..<count]
                guard bytes.count <= limit else { throw .tooLong(limit: limit) }
            }
            guard !bytes.isEmpty else { throw .empty }
            return bytes
        }
    }

    /// All bytes of a secret.
    /// - Parameter isText: drops one final line ending.
    func readSecret(atMost limit: Int, isText: Bool = true) throws(Failure) -> SecureBytes {
        try withSecretDescriptor { descriptor throws(Failure) in
            do throws(SecureMemoryError) {
                var bytes = try SecureBytes.read(from: descriptor, atMost: limit + 2)
                if isText { bytes.dropFinalLineEnding() }
                guard bytes.count <= limit else { throw SecureMemoryError.tooLong(limit: limit) }
                return bytes
            } catch {
                switch error {
                case .tooLong: throw .tooLong(limit: limit)
                case .unreadable(let number): throw number == EISDIR ? .directory : .unreadable(errno: number)
                case .unavailable: throw .memory(error)
                }
            }
        }
    }

    /// Lends a descriptor that secrets are read from: no terminal, which would show them.
    func withSecretDescriptor<Result: ~Copyable>(_ body: (Int32) throws(Failure) -> Result) throws(Failure) -> Result {
        try withDescriptor { descriptor throws(Failure) in
            guard isatty(descriptor) == 0 else { throw .terminal }
            BeforeSecrets.warn()
            return try body(descriptor)
        }
    }

    private func withDescriptor<Result: ~Copyable>(
        _ body: (Int32) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if let descriptor = descriptorOfPath {
            // What was inherited is not closed at exec, and what this program opened itself is: the vault is no input.
            let flags = fcntl(descriptor, F_GETFD)
            guard flags >= 0, flags & FD_CLOEXEC == 0 else { throw .unreadable(errno: EBADF) }
            return try body(descriptor)
        }
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
        guard descriptor >= 0 else { throw errno == ENOENT ? .missing : .unreadable(errno: errno) }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .unreadable(errno: errno) }
        if status.st_mode & S_IFMT == S_IFDIR { throw .directory }
        return try body(descriptor)
    }
}
