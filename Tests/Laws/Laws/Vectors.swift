import ABICodec
import Codecs
import Glibc
import JSON

/// The published vectors, read from the repository that the program was built in.
public struct Vectors: Sendable {
    public struct Unreadable: Error {
        let path: String
    }

    public static let published = Result { try Vectors() }

    private let files: [String: JSONValue]

    private init() throws {
        var files: [String: JSONValue] = [:]
        let names = [
            "abi", "private-keys", "public-keys", "sign-digest", "signatures", "transactions",
            "verify-signatures",
            "verify-webauthn", "built-transactions", "signing-requests", "qr", "ur",
            "http-signatures", "seeds/bip39-vectors", "seeds/bip32-vectors", "seeds/paths", "seeds/invalid",
            "seeds/slip39-official", "seeds/slip39-sets",
        ]
        for name in names {
            files[name] = try JSONValue.parse(Self.file("Vectors/\(name).json"))
        }
        self.files = files
    }

    /// A member of a file; `null` if the file does not have it.
    subscript(_ file: String, _ member: String) -> JSONValue { files[file]?[member] ?? .null }

    func tests(_ file: String) -> [JSONValue] { self[file, "tests"].array ?? [] }

    /// The texts in one field of a file's tests.
    func texts(_ file: String, _ field: String) -> [String] { tests(file).compactMap { $0[field]?.string } }

    /// The root of the repository: Tests/Laws/Laws/Vectors.swift is four levels below it.
    private static let root = "/" + #filePath.split(separator: "/").dropLast(4).joined(separator: "/")

    /// The bytes of each file in a folder of the repository; empty if there is no such folder.
    public static func files(in folder: String) throws -> [[UInt8]] {
        try names(in: folder).map { try file("\(folder)/\($0)") }
    }

    /// The names of the files in a folder of the repository.
    public static func names(in folder: String) throws -> [String] {
        guard let entries = unsafe opendir("\(root)/\(folder)") else { return [] }
        defer { unsafe closedir(entries) }
        var names: [String] = []
        while let entry = unsafe readdir(entries) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The bytes of a file of the repository.
    static func file(_ path: String) throws -> [UInt8] {
        let file = unsafe open("\(root)/\(path)", O_RDONLY)
        guard file >= 0 else { throw Unreadable(path: path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = unsafe read(file, &buffer, buffer.count)
            guard count >= 0 else { throw Unreadable(path: path) }
            if count == 0 { return bytes }
            bytes += buffer[..<count]
        }
    }

    /// The ABI of the tests in `Vectors/abi.json`.
    static let abi = Result { try ABI(published.get()["abi", "abi"]) }
}
