import Codecs
import JSON
import Keys
import OtherWallets
import SecureMemory
import TestSupport

/// A row of the samples in `Vectors/imports`.
struct Sample: CustomStringConvertible, Sendable {
    let id: String
    let result: String
    let file: [UInt8]
    let password: String?
    /// The expected keys, as `PVT_…`, by their public key.
    let keys: [String: String]
    /// In the order of the file.
    let publicKeys: [String]
    let watchOnly: [String]
    let refuse: [String]

    var description: String { id }

    /// - Parameter path: a JSON file in `Vectors/imports`.
    static func all(_ path: String) throws -> [Sample] {
        let folder = "Vectors/imports/" + path.split(separator: "/").dropLast().joined(separator: "/")
        let json = try JSONValue.parse(try repositoryFile("Vectors/imports/" + path))
        return try (json["tests"]?.array ?? []).map { try Sample($0, in: folder) }
    }

    private init(_ row: JSONValue, in folder: String) throws {
        func texts(_ name: String) -> [String] { row[name]?.array?.compactMap(\.string) ?? [] }
        id = row["id"]?.string ?? ""
        result = row["result"]?.string ?? ""
        if let text = row["text"]?.string {
            file = Array(text.utf8)
        } else {
            file = try repositoryFile("\(folder)/\(row["file"]?.string ?? "")")
        }
        let words = texts("password_words")
        password =
            row["password"]?.string ?? row["passphrase"]?.string
            ?? (words.isEmpty ? nil : words.joined(separator: " "))
        var pairs: [(String, String)] = []
        for key in (row["keys"]?.array ?? [row["key"]].compactMap(\.self)) + (row["more_keys"]?.array ?? []) {
            pairs.append((key["public_key"]?.string ?? "", key["private_key"]?.string ?? ""))
        }
        keys = Dictionary(pairs) { first, _ in first }
        publicKeys = pairs.map(\.0)
        watchOnly = texts("watch_only")
        refuse = texts("refuse")
    }

    /// Reads the file. The result has the keys that it lends, as `PVT_…`, by their public key.
    func read(
        as format: WalletFormat
    ) throws(WalletError) -> (summary: WalletSummary, keys: [String: String]) {
        do {
            let file = try SecureBytes(copyingPublic: self.file)
            let password = try self.password.map { try SecureBytes(copyingPublic: Array($0.utf8)) }
            let wallet = try WalletFile.read(file, as: format, password: password)
            var keys: [String: String] = [:]
            var order: [PublicKey] = []
            try wallet.forEachKey { publicKey, _, key in
                order.append(publicKey)
                keys[key.publicKey.canonicalText] = try key.exportPlaintext().withBytes { text in
                    String(decoding: (0..<text.byteCount).map { text[byte: $0] }, as: UTF8.self)
                }
            }
            guard order == wallet.summary.keys.map(\.publicKey) else { throw WalletError.libraryFailure }
            return (wallet.summary, keys)
        } catch let error as WalletError { throw error } catch { throw .libraryFailure }
    }
}

extension WalletError {
    /// The words of the samples for the reason.
    var reason: String {
        switch self {
        case .wrongPassword: "wrong_password"
        case .passwordNeeded, .memory, .libraryFailure: "\(self)"
        case .words(.unknownWord): "unknown_word"
        case .words(.wrongCount): "wrong_count"
        case .words(.malformed): "malformed"
        case .form(.cleosCreateKey, .empty): "malformed"
        case .form(.anchorCertificate, _), .form(.scatter, .empty): "malformed"
        case .form(_, let fault): fault.reason
        case .contents(_, .wrongCount): "damaged"
        case .contents(_, .notJSON): "not_json"
        case .contents(_, .missingMember): "missing_member"
        case .contents(_, .wrongMember): "malformed"
        case .key(_, let fault): fault.reason
        case .unsupported(.wrap): "unsupported_wrap"
        case .unsupported(.version): "unsupported_version"
        case .unsupported(.curve): "unsupported_curve"
        case .limit(.derivation): "cost_too_high"
        case .limit: "too_many"
        }
    }
}

extension WalletError.FormFault {
    fileprivate var reason: String {
        switch self {
        case .empty, .wrongLength: "damaged"
        case .notJSON, .notAnObject: "not_json"
        case .missingMember, .wrongMember: "missing_member"
        case .hex: "bad_hex"
        case .base64: "bad_base64"
        case .base58, .missingPart: "malformed"
        case .checksum: "bad_checksum"
        case .noKeys: "no_keys"
        }
    }
}

extension WalletError.KeyFault {
    fileprivate var reason: String {
        switch self {
        case .mismatch: "key_mismatch"
        case .privateKey(.checksumMismatch), .privateKey(.singleHashWIF), .publicKey(.checksumMismatch):
            "bad_checksum"
        case .privateKey, .publicKey: "malformed"
        case .scalar: "bad_private_key"
        case .unknownType: "unsupported_curve"
        }
    }
}
