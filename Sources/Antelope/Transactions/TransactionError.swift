import ABICodec
import Codecs
import JSON
import Messages

/// Why a transaction, or an ABI for it, is refused. Paths are paths in the JSON:
/// `actions[2].data.quantity`.
package enum TransactionError: Error, Equatable {
    case unrecognised
    case json(JSONError)
    /// An error in a member of the JSON, at the error's path.
    case value(ABIError)
    /// Action data is given as JSON.
    case noABI(path: String, account: Name)
    case unknownAction(path: String, account: Name, action: Name)
    case dataDisagrees(path: String)
    /// Packed bytes that end early, continue after the transaction, or contain a padded length.
    case bytes(CodecError)
    /// Text that starts as hex.
    case hex(CodecError)
    case unknownCompression
    case inflate(InflateError)
    case idDisagrees(computed: String)
    case otherChain(stated: ChainID)
    /// Two members that state the same thing.
    case membersDisagree(String, String)
    case abi(account: Name, ABIError)
    case abiGivenTwice(account: Name)
    /// In a node's answer for another account.
    case abiOfOtherAccount(account: Name, stated: String)
    case abiDiffersFromBuiltIn(account: Name, action: Name, given: ABIHash, builtIn: ABIHash)
    /// The raw form decodes each action as the account's built-in ABI does.
    case abiNotRecorded(account: Name, given: ABIHash)
    case abiDiffersFromPinned(account: Name, given: ABIHash, pinned: ABIHash)
    case actionNotBuiltIn(path: String, account: Name, action: Name)
}

extension TransactionError: WordedError {
    package var words: Words {
        switch self {
        case .unrecognised:
            Words(.notATransaction, "neither a JSON object nor hex", hint: Self.formHint)
        case .json(let error):
            error.words.advising(error.reason == .trailingBytes ? Self.severalHint : nil)
        case .value(let error): error.words
        case .noABI(let path, let account): Words(.noABI, "no ABI for \(account.text) is known").at(path)
        case .unknownAction(let path, let account, let action):
            Words(.noABI, "the ABI of \(account.text) has no action \(action.text)").at(path)
        case .dataDisagrees(let path):
            Self.disagreement("the action's `data`, `hex_data` and `json_data` do not match").at(path)
        case .idDisagrees(let computed):
            Self.disagreement("`id` does not match this transaction, whose id is \(computed)")
        case .membersDisagree(let one, let other): Self.disagreement("`\(one)` and `\(other)` differ")
        case .otherChain(let stated):
            Words(
                .otherChain,
                "`chain_id` is the id of another chain: "
                    + (stated.chain.map { "\($0.title), " } ?? "") + stated.text,
                hint: "check the chain, or make the transaction again for the right chain")
        case .bytes(let error), .hex(let error): error.words
        case .unknownCompression: Words(.invalidEncoding, "compression is neither none nor zlib")
        case .inflate(.invalid):
            Words(
                .invalidEncoding, "the compressed bytes are not a complete zlib stream",
                hint: CodecError.cutShort)
        case .inflate(.trailingBytes(let count)):
            Words(.invalidEncoding, "\(Words.count(count, "trailing byte")) after the end of the zlib stream")
        case .inflate(.tooLong(let limit)):
            Words(.tooLarge, "the uncompressed data has more than \(limit) bytes, which nodeos refuses")
        case .abi(let account, let error): error.words.at("the ABI of \(account.text)")
        case .abiGivenTwice(let account):
            Words(
                .duplicate, "a second ABI was given for \(account.text)",
                hint: "give one ABI for each account")
        case .abiOfOtherAccount(let account, let stated):
            Words(
                .wrongFile, "the file has the ABI of \(Printable.excerpt(stated)), not of \(account.text)",
                hint: "get the ABI with `cleos get abi \(account.text)`, or correct the account")
        case .abiDiffersFromBuiltIn(let account, let action, let given, let builtIn):
            Self.abiDiffers(
                "the ABI of \(account.text), SHA-256 \(given.text), differs from the built-in one, SHA-256 "
                    + "\(builtIn.text): it lacks \(action.text) or decodes it differently")
        case .abiNotRecorded(let account, let given):
            Self.abiDiffers(
                "the raw ABI of \(account.text) has the SHA-256 \(given.text), which is not a known version of the "
                    + "built-in ABI; the built-in ABI decodes the same")
        case .abiDiffersFromPinned(let account, let given, let pinned):
            Self.abiDiffers(
                "the ABI of \(account.text), SHA-256 \(given.text), differs from the pinned one, SHA-256 \(pinned.text)"
            )
        case .actionNotBuiltIn(let path, let account, let action):
            Self.abiDiffers(
                "the built-in ABI of \(account.text) has no action \(action.text); only the given ABI has it"
            ).at(path)
        }
    }

    private static func abiDiffers(_ message: String) -> Words { Words(.abiDiffers, message) }

    private static func disagreement(_ message: String) -> Words {
        Words(
            .disagreement, message,
            hint: "the file was changed, or a faulty tool wrote it: make the transaction again")
    }

    private static let formHint =
        "give the output of `cleos … -d -s -j -x 3600`, packed JSON, or packed hex; in a file with one transaction on "
        + "each line, write each JSON object on one line"
    private static let severalHint =
        "give one transaction, or --lines for a file with one transaction on each line"
}
