import AirGap
import Keys
import Shell
import Signing
import Transactions

extension Words {
    // MARK: signers

    static func signedBy(_ key: PublicKey) -> String { "signed by \(key.text)" }
    static let noSignatures = "none of the files has a signature"

    static func leftOut(_ count: Int) -> String {
        "left out \(Self.count(count, "signature")) of keys that have already signed"
    }
}

extension ScannedCodes.Failure: WordedError {
    var words: Words {
        switch self {
        case .line(let line): Words(.invalidCode, "line \(line) is not the text of a QR code, or is damaged")
        case .malformed: Words(.invalidCode, "the message of the QR codes is malformed")
        case .incomplete(let missing):
            Words(
                .codesMissing,
                "the sequence is not complete: at least \(Words.count(missing, "further code")) needed")
        case .severalMessages: Words(.severalMessages, "the QR codes belong to different messages")
        case .unknownType(let name): Words(type: name)
        case .noTransaction(.signingRequest): CommandError.signingRequest.words
        case .noTransaction(.signatures):
            Words(
                type: URType.signatures.name,
                hint: "join them with their transaction: `eosvault merge TRANSACTION FILE --chain CHAIN`")
        case .noTransaction(.file):
            Words(
                type: URType.file.name,
                hint: "write it to a file with `eosvault-scan -o FILE`, and give that file to its option")
        case .noTransaction(let type): Words(type: type.name)
        }
    }
}

extension Words {
    fileprivate init(
        type: String, hint: String = "scan the codes of a transaction, for example of `eosvault sign --qr`"
    ) {
        self.init(
            .notATransaction, "the message is of the type \(Printable.line(type)), not a transaction",
            hint: hint)
    }
}
