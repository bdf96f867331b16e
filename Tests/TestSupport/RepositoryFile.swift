import Glibc
import Testing

/// The bytes of a file of this repository.
public func repositoryFile(_ path: String) throws -> [UInt8] {
    // Tests/TestSupport/RepositoryFile.swift is three levels down.
    let root = #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
    let file = open("/\(root)/\(path)", O_RDONLY)
    try #require(file >= 0, "\(path) can be opened")
    defer { close(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
        let count = read(file, &buffer, buffer.count)
        try #require(count >= 0, "\(path) can be read")
        if count == 0 { return bytes }
        bytes += buffer[..<count]
    }
}
