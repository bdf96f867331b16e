import Shell

/// The codes of warnings about an ABI that can be used, with their meanings.
enum ABIWarningCode: String, MessageCode {
    case fieldAfterExtension = """
        abi-field-after-extension: a field is after an extension, which therefore can't be omitted
        """
    case nameTaken = "abi-name-taken: a type is not used, because nodes use another type of its name"
    case ownBitset = "abi-own-bitset: the ABI's own `bitset` is used"
    case unusableType = "abi-unusable-type: actions that need a type of the ABI can't be decoded"
    case notUTF8 = "abi-not-utf8: a text of the ABI is not UTF-8"
}
