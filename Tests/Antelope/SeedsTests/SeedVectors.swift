import Codecs
import JSON
import Keys
import SecureMemory
import TestSupport
import Testing

@testable import Seeds

/// The rows of the files in `Vectors/seeds`. The README there has their sources.
struct SeedRow: Sendable, CustomTestStringConvertible {
    let file: String
    let json: JSONValue

    var id: String { self["id"] ?? "" }
    var testDescription: String { "\(file) \(id)" }

    subscript(_ key: String) -> String? { json[key]?.string }

    /// The keys of a row, each with its path.
    var keys: [JSONValue] { json["keys"]?.array ?? [json["key"]].compactMap(\.self) }

    var isValid: Bool { self["result"] == "valid" }

    static func all(_ files: String...) -> [SeedRow] {
        files.flatMap { file -> [SeedRow] in
            let bytes = (try? repositoryFile("Vectors/seeds/\(file).json")) ?? []
            let tests = (try? JSONValue.parse(bytes))?["tests"]?.array ?? []
            return tests.map { SeedRow(file: file, json: $0) }
        }
    }
}

func bytes(_ text: String) throws -> SecureBytes { try SecureBytes(copyingPublic: text.utf8) }

func bytes(hex: String?) throws -> SecureBytes {
    try SecureBytes(copyingPublic: Hex.decode(try #require(hex)))
}

func hex(_ secret: borrowing SecureBytes) -> String { Hex.encode(plain(secret)) }

func plain(_ secret: borrowing SecureBytes) -> [UInt8] {
    secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
}

func text(_ secret: borrowing SecureBytes) -> String { String(decoding: plain(secret), as: UTF8.self) }

/// The error of a body; nil if it throws none.
func seedError(_ body: () throws -> Void) -> SeedError? {
    do { try body() } catch { return error as? SeedError }
    return nil
}

/// Compares a derived key with all forms of it in a row.
func expect(_ key: borrowing PrivateKey, equals expected: JSONValue) throws {
    if let wif = try key.exportPlaintextWIF() {
        #expect(text(wif) == expected["wif"]?.string)
    } else {
        Issue.record("no WIF")
    }
    #expect(text(try key.exportPlaintext()) == expected["private_key"]?.string)
    #expect(key.publicKey.text == expected["legacy_public_key"]?.string)
    #expect(key.publicKey.canonicalText == expected["public_key"]?.string)
}
