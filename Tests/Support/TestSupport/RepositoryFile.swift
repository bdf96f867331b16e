import Glibc

/// The folder of this repository, without a slash at its end.
public let repositoryRoot: String = {
    // Tests/Support/TestSupport/RepositoryFile.swift is four levels down.
    let root = #filePath.split(separator: "/").dropLast(4).joined(separator: "/")
    return "/" + root
}()

/// The bytes of a file of this repository.
public func repositoryFile(_ path: String) throws -> [UInt8] { try Files.read(repositoryRoot + "/" + path) }
