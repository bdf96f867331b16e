import Glibc

public struct FileFailure: Error {
    public let path: String
    public let errno: Int32

    public init(path: String, errno: Int32) {
        self.path = path
        self.errno = errno
    }
}

/// Reads and writes whole files.
public enum Files {
    public static func read(_ path: String) throws -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw FileFailure(path: path, errno: errno) }
        defer { close(file) }
        return contents(of: file)
    }

    /// Reads the open file from start to end.
    public static func contents(of file: Int32) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = pread(file, &buffer, buffer.count, bytes.count)
            guard count > 0 else { return bytes }
            bytes += buffer[..<count]
        }
    }

    public static func write(_ bytes: [UInt8], to path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw FileFailure(path: path, errno: errno) }
        defer { close(file) }
        var written = 0
        while written < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.write(file, $0.baseAddress.map { $0 + written }, bytes.count - written)
            }
            guard count > 0 else { throw FileFailure(path: path, errno: errno) }
            written += count
        }
    }

    /// The sorted names in a folder.
    public static func names(in folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) {
                String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// Makes the folder contain exactly the files of `contents`, which maps names to bytes.
    public static func fill(_ folder: String, with contents: [String: [UInt8]]) throws {
        for name in names(in: folder) where contents[name] == nil { unlink(folder + "/" + name) }
        for (name, bytes) in contents { try write(bytes, to: folder + "/" + name) }
    }
}
