import JSON
import Shell
import VectorSuite

extension VectorFileError: WordedError {
    package var words: Words {
        switch self {
        case .json(let error): error.words
        case .notAnObject: Words(.notVectors, "not a JSON object")
        case .unknownSchema: Words(.notVectors, "the field `schema` is not \(VectorFile.schema)")
        case .missingField(let field): Words(.notVectors, "the field `\(field)` is missing")
        case .noTests: Words(.notVectors, "the file contains no tests")
        case .unknownKind(let kind): Words(.unknownKind, "unknown kind \(Printable.line(kind))")
        case .abi(let name, let error): error.words.at(Printable.line(name))
        }
    }
}
