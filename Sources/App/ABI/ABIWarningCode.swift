import Shell

/// The codes of warnings about an ABI that can be used.
enum ABIWarningCode: String, MessageCode {
    case fieldAfterExtension = "abi-field-after-extension", nameTaken = "abi-name-taken"
    case ownBitset = "abi-own-bitset", unusableType = "abi-unusable-type", notUTF8 = "abi-not-utf8"

    var meaning: String {
        switch self {
        case .fieldAfterExtension: "a field is after an extension, which therefore can't be omitted"
        case .nameTaken: "a type is not used, because nodes use another type of its name"
        case .ownBitset: "the ABI's own `bitset` is used"
        case .unusableType: "actions that need a type of the ABI can't be decoded"
        case .notUTF8: "a text of the ABI is not UTF-8"
        }
    }
}
