import Messages

/// Why a file can't cross the air gap.
package enum FileRefusal: Error, Equatable, Sendable {
    /// It has more bytes.
    case tooLong(limit: Int)
    case neitherJSONNorABI
    case privateKey
}

extension FileRefusal: WordedError {
    package var words: Words {
        switch self {
        case .tooLong(let limit):
            Words(
                .tooLarge, "a file in QR codes has at most \(Amount.text(limit)) bytes",
                hint: "request fewer rows from the node, or carry the file on a stick")
        case .neitherJSONNorABI:
            Words(.wrongFile, "neither JSON nor an ABI", hint: "give a node's answer, or an ABI")
        case .privateKey:
            Words(
                .privateKeyGiven, "the file has a private key",
                hint: "a private key must not be in a QR code; import it on the machine of the vault")
        }
    }
}
