import Messages

extension ABIWarning {
    /// A warning of one line about an ABI that can still be used.
    package var words: (code: ABIWarningCode, text: String) {
        switch self {
        case .fieldAfterExtension(let type, let field, let name):
            (
                .fieldAfterExtension,
                "\(Printable.excerpt(type)): `\(Printable.excerpt(field))` is after the extension "
                    + "`\(Printable.excerpt(name))`, which therefore can't be omitted"
            )
        case .notUsed(let kind, let name, let other):
            (
                .nameTaken,
                "the \(kind.words) `\(Printable.excerpt(name))` is not used: nodes use the \(other.words) of this name"
            )
        case .ownBitset(let version):
            (
                .ownBitset,
                "the ABI's own `bitset` is used: version \(version) has no built-in type of this name"
            )
        case .unusable(let flaw):
            (.unusableType, "\(flaw.words.message): actions that need this type can't be decoded")
        case .notUTF8(let place):
            (
                .notUTF8,
                "\(place): the text is not UTF-8, so the JSON has U+FFFD in it; no action needs this text"
            )
        }
    }
}

extension ABIWarning.NamedType {
    fileprivate var words: String {
        switch self {
        case .builtIn: "built-in type"
        case .alias: "alias"
        case .variant: "variant"
        case .structure: "struct"
        }
    }
}

/// The codes of warnings about an ABI that can be used, with their meanings.
package enum ABIWarningCode: String, MessageCode {
    case fieldAfterExtension = """
        abi-field-after-extension: a field is after an extension, which therefore can't be omitted
        """
    case nameTaken = "abi-name-taken: a type is not used, because nodes use another type of its name"
    case ownBitset = "abi-own-bitset: the ABI's own `bitset` is used"
    case unusableType = "abi-unusable-type: actions that need a type of the ABI can't be decoded"
    case notUTF8 = "abi-not-utf8: a text of the ABI is not UTF-8"
}
