import JSON

extension JSONError: WordedError {
    package var words: Words { Words(.invalidJSON, "line \(line), column \(column): \(reason.text)") }
}

extension JSONError.Reason {
    package var text: String {
        switch self {
        case .unexpectedEnd: "the JSON ends too early"
        case .unexpectedByte(let byte):
            (0x21...0x7e).contains(byte)
                ? "unexpected `\(Character(Unicode.Scalar(byte)))`" : "unexpected byte \(byte)"
        case .byteOrderMark: "a byte order mark, which JSON does not allow"
        case .trailingBytes: "something follows the end of the JSON"
        case .leadingZero: "a number has a leading zero"
        case .missingDigits: "a number lacks digits"
        case .controlCharacter(let byte): "control character \(byte) in a string"
        case .invalidUTF8: "the text is not UTF-8"
        case .invalidEscape: "an escape sequence that JSON does not allow"
        case .loneSurrogate: "half of a surrogate pair"
        case .duplicateKey: "a member name occurs twice in an object"
        case .tooDeep(let limit): "nested deeper than \(limit) levels"
        case .tooLong(let limit): "more than \(limit) bytes"
        }
    }
}

extension JSONKind {
    package var name: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}
