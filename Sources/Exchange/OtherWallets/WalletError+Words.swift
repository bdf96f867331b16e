import Codecs
import Keys
import Messages
import SecureMemory

extension WalletError: WordedError {
    package var words: Words {
        switch self {
        case .wrongPassword(let format): Self.wrongPassword(format)
        case .passwordNeeded(let format):
            Words(
                .usage, "the keys of a \(format.name) are encrypted, and no password was given",
                hint: "give the password of the file")
        case .words(let fault): fault.words
        case .form(let format, let fault): fault.words(format)
        case .contents(let format, let fault): fault.words(format)
        case .key(let number, let fault): fault.words.at("key \(number)")
        case .unsupported(let unsupported): unsupported.words
        case .limit(let limit): limit.words
        case .memory(let error): error.words
        case .libraryFailure: Words(.internalError, "a cipher failed where no failure is possible")
        }
    }

    private static func wrongPassword(_ format: WalletFormat) -> Words {
        let secret = format == .anchorCertificate ? "the words are" : "the password is"
        return Words(
            .wrongPassword, "\(secret) wrong, or the \(format.name) is damaged",
            hint: format == .anchorCertificate
                ? "compare the six words and their order with what you wrote by hand"
                : "every character counts, also letter case and spaces at the ends; if the password is right, "
                    + "use another copy of the file")
    }
}

extension WalletError.WordFault {
    var words: Words {
        switch self {
        case .unknownWord(let number):
            Words(.invalidPhrase, "word \(number) is not in the list of words (BIP-39, English)")
        case .wrongCount(let given, let expected):
            Words(.invalidPhrase, "\(Words.count(given, "word")) instead of \(expected)")
        case .malformed: Words(.invalidPhrase, "the words do not encode a key")
        }
    }
}

extension WalletError.FormFault {
    fileprivate func words(_ format: WalletFormat) -> Words {
        let damaged = "the \(format.name) is damaged"
        switch self {
        case .empty: return Words(.empty, "the file is empty")
        case .notJSON(let error): return error.words
        case .notAnObject:
            return Words(.importFile, "not a \(format.name): not a JSON object", hint: Self.check)
        case .missingMember(let name):
            return Words(
                .importFile, "not a \(format.name), or damaged: the member \(name) is missing",
                hint: Self.check)
        case .wrongMember(let name):
            return Words(
                .importFile, "not a \(format.name), or damaged: the member \(name) has a wrong form",
                hint: Self.check)
        case .hex(let member, let error), .base64(let member, let error): return error.words.at(member)
        case .base58(let error): return error.words
        case .wrongLength(let bytes):
            return Words(
                .importFile,
                "\(damaged): its encrypted part has an impossible length, \(Words.count(bytes, "byte"))",
                hint: CodecError.cutShort)
        case .checksum:
            return Words(.importFile, "\(damaged): its checksum does not match", hint: CodecError.mistyped)
        case .missingPart(let part):
            return Words(
                .importFile, "not a \(format.name), or damaged: the part `\(part)` is missing",
                hint: Self.check)
        case .noKeys:
            return Words(
                .importFile, "the \(format.name) contains no private keys",
                hint: "its keys are in a device or in another file: import that file, or create new keys")
        }
    }

    private static let check = "check that this is the right file and format"
}

extension WalletError.ContentFault {
    fileprivate func words(_ format: WalletFormat) -> Words {
        let place = "the decrypted contents of the \(format.name)"
        let advice = "the file is damaged: use another copy of it"
        return switch self {
        case .wrongCount:
            Words(.importFile, "\(place) do not have the number of keys that they state", hint: advice)
        case .notJSON: Words(.importFile, "\(place) are not JSON", hint: advice)
        case .missingMember(let name):
            Words(.importFile, "in \(place), the member \(name) is missing", hint: advice)
        case .wrongMember(let name):
            Words(.importFile, "in \(place), the member \(name) has a wrong form", hint: advice)
        }
    }
}

extension WalletError.KeyFault {
    fileprivate var words: Words {
        switch self {
        case .mismatch:
            Words(
                .importFile, "the private key does not belong to its public key",
                hint:
                    "the file is damaged or was changed, so no key of it is imported: use another copy of it")
        case .privateKey(let error): error.words(kind: .privateKey)
        case .publicKey(let error): error.words(kind: .publicKey)
        case .scalar(let error): error.words
        case .unknownType(let type):
            Words(.importFile, "a key has the type \(type)", hint: "only K1 (0) and R1 (1) can be imported")
        }
    }
}

extension WalletError.Unsupported {
    fileprivate var words: Words {
        switch self {
        case .wrap(let kind):
            Words(
                .importFile, "the keys are encrypted by `\(Printable.line(kind))`, not by a passphrase",
                hint: """
                    in eosc, make a vault with a passphrase from it: `eosc vault export`, then \
                    `eosc vault create --import`
                    """)
        case .version(let version):
            Words(
                .importFile, "this version can't read the schema \(Printable.line(version))",
                hint: "export each private key with that program, and import it")
        case .curve(let name):
            Words(
                .importFile, "keys of type \(Printable.line(name)) can't be imported",
                hint: "only K1 and R1 keys can be imported; no key of this file was imported")
        }
    }
}

extension WalletError.Limit {
    fileprivate var words: Words {
        switch self {
        case .fileSize: Words(.tooLarge, "more than \(Words.size(UInt64(WalletLimits.fileSize)))")
        case .keyCount:
            Words(
                .tooLarge, "more than \(WalletLimits.keyCount) keys",
                hint: "divide the keys among several wallet files")
        case .derivationCount:
            Words(
                .tooLarge, "more than \(WalletLimits.derivationCount) parts that are encrypted separately",
                hint: "check that this is the right file, and where it comes from")
        case .derivation(let bytes):
            Words(
                .kdfCost,
                "the key derivation writes \(Words.size(bytes)) to memory; the limit is "
                    + Words.size(WalletLimits.scryptMemory),
                hint: "encrypt the key again at a lower security level, in the program that made the text")
        }
    }
}
