import ABICodec
import JSON
import Shell
import VectorSuite

extension VectorFileError: WordedError {
    package var words: Words {
        switch self {
        case .json(let error): error.words
        case .notAnObject: Words(.wrongFile, "not a JSON object", hint: "Vectors/README.md describes the format")
        case .unknownSchema:
            Words(
                .wrongFile, "the field `schema` is not \(VectorFile.schema)",
                hint: "Vectors/README.md describes the format")
        case .missingField(let field):
            Words(.wrongFile, "the field `\(field)` is missing", hint: "Vectors/README.md describes the format")
        case .noTests: Words(.wrongFile, "the file contains no tests", hint: "Vectors/README.md describes the format")
        case .unknownKind(let kind):
            Words(.wrongFile, "unknown kind \(Printable.line(kind))", hint: "Vectors/README.md describes the format")
        case .abi(let name, let error): error.words.at(Printable.line(name))
        }
    }
}
