import ABICodec
import Codecs
import JSON
import Messages

/// Checks a file of test vectors in the format `eosvault-vectors/1` (`Vectors/README.md`), test by
/// test.
///
/// Nothing is skipped: an unknown kind or result, a missing field or a test without an id is a
/// failure.
package enum VectorFile {
    package static let schema = "eosvault-vectors/1"

    /// Checks each test of a file.
    /// - Throws: `VectorFileError` if the file as a whole is malformed.
    package static func check(_ bytes: [UInt8]) throws(VectorFileError) -> VectorReport {
        let json = try converting(VectorFileError.json, JSONValue.parse(bytes))
        guard json.object != nil else { throw .notAnObject }
        guard json["schema"]?.string == schema else { throw .unknownSchema }
        guard let kind = json["kind"]?.string else { throw .missingField("kind") }
        guard let tests = json["tests"]?.array else { throw .missingField("tests") }
        guard !tests.isEmpty else { throw .noTests }
        guard let check = try checker(for: kind, json) else { throw .unknownKind(kind) }

        var report = VectorReport(kind: kind)
        var ids: Set<String> = []
        for (index, test) in tests.enumerated() {
            let id = test["id"].flatMap { $0.string ?? $0.number }
            let name = id ?? "#\(index + 1)"
            do throws(VectorFailure) {
                guard id != nil else { throw .missingField("id") }
                guard ids.insert(name).inserted else { throw .duplicateID }
                try VectorTest(test).run(check)
                report.passed += 1
            } catch {
                report.failures.append(VectorReport.Failure(id: name, reason: error))
            }
        }
        return report
    }

    /// The check for tests of this kind, with the data that all tests of the file share.
    private static func checker(for kind: String, _ file: JSONValue) throws(VectorFileError) -> VectorTest
        .Check?
    {
        switch kind {
        case "private-key": KeyChecks.privateKey
        case "public-key": KeyChecks.publicKey
        case "signature": KeyChecks.signature
        case "sign-digest": SignatureChecks.sign
        case "verify-signature": SignatureChecks.verify
        case "abi": try ABIChecks(file).check
        case "qr": QRChecks.check
        case "ur": URChecks.check
        case "transaction": try TransactionChecks(file).check
        case "signing-request": RequestChecks.check
        case "http-signature": HTTPSignatureChecks.check
        default: nil
        }
    }
}

/// The results of the tests of one file.
package struct VectorReport: Sendable {
    package struct Failure: Sendable {
        package let id: String
        package let reason: VectorFailure
    }

    package let kind: String
    package internal(set) var passed = 0
    package internal(set) var failures: [Failure] = []

    package var count: Int { passed + failures.count }
}

/// Why a file is refused as a whole.
package enum VectorFileError: Error, Equatable {
    case json(JSONError)
    case notAnObject
    case unknownSchema
    case missingField(String)
    case noTests
    case unknownKind(String)
    /// The file's ABI, or the ABI of one of its contracts, does not load.
    case abi(String, ABIError)
}

extension VectorFileError: WordedError {
    package var words: Words {
        switch self {
        case .json(let error): error.words
        case .notAnObject: Self.refused("not a JSON object")
        case .unknownSchema: Self.refused("the field `schema` is not \(VectorFile.schema)")
        case .missingField(let field): Self.refused("the field `\(field)` is missing")
        case .noTests: Self.refused("the file contains no tests")
        case .unknownKind(let kind): Self.refused("unknown kind \(Printable.line(kind))")
        case .abi(let name, let error): error.words.at(Printable.line(name))
        }
    }

    private static func refused(_ message: String) -> Words {
        Words(.wrongFile, message, hint: "Vectors/README.md describes the format")
    }
}

/// Why a test fails.
package enum VectorFailure: Error, Equatable, Sendable {
    case missingField(String)
    /// A field's value has another kind than the format requires.
    case malformedField(String)
    case duplicateID
    case unknownResult(String)
    /// A valid test was refused, at this step.
    case refused(String)
    /// An invalid test was accepted.
    case accepted
    /// The result of a valid test differs from this field.
    case mismatch(String)
}
