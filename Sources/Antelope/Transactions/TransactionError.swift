import ABICodec
import Codecs
import JSON

/// Why a transaction, or an ABI for it, is refused. Paths are paths in the JSON:
/// `actions[2].data.quantity`.
package enum TransactionError: Error, Equatable {
    /// Neither a JSON object nor hex text.
    case unrecognised
    case json(JSONError)
    /// An error in a member of the JSON, at the error's path.
    case value(ABIError)
    /// Action data is given as JSON, but no ABI for the contract is known.
    case noABI(path: String, account: Name)
    /// The contract's ABI has no such action.
    case unknownAction(path: String, account: Name, action: Name)
    /// Two of `data`, `hex_data` and `json_data` of an action differ.
    case dataDisagrees(path: String)
    /// Packed bytes that end early, continue after the transaction, or contain a padded length.
    case bytes(CodecError)
    /// Text that starts as hex but has a character that is not a hex digit, or an odd length.
    case hex(CodecError)
    /// The compression of packed JSON is neither `none` nor `zlib`.
    case unknownCompression
    case invalidZlib
    case zlibTrailingBytes(count: Int)
    case inflatedTooLong(limit: Int)
    /// `id` is not the SHA-256 of the packed transaction.
    case idDisagrees(computed: String)
    /// `chain_id` is not the chain that the transaction is to be signed for.
    case otherChain(stated: ChainID)
    /// Two members that state the same thing differ.
    case membersDisagree(String, String)
    case abi(account: Name, ABIError)
    /// A second ABI was given for the same account.
    case abiGivenTwice(account: Name)
    /// The ABI for `account` is in a node's answer that names another account.
    case abiOfOtherAccount(account: Name, stated: String)
    /// The given ABI decodes `action` differently from the account's built-in ABI, or lacks it.
    case abiDiffersFromBuiltIn(account: Name, action: Name, given: ABIHash, builtIn: ABIHash)
    /// The given ABI, in its raw form, decodes each action as the account's built-in ABI does, but
    /// no chain is known to have an ABI with this hash.
    case abiNotRecorded(account: Name, given: ABIHash)
    /// The vault pins another ABI for the account.
    case abiDiffersFromPinned(account: Name, given: ABIHash, pinned: ABIHash)
    /// The given ABI has the action, but the account's built-in ABI lacks it.
    case actionNotBuiltIn(path: String, account: Name, action: Name)

    /// Why the zlib stream of packed JSON is refused.
    init(_ error: InflateError) {
        switch error {
        case .invalid: self = .invalidZlib
        case .trailingBytes(let count): self = .zlibTrailingBytes(count: count)
        case .tooLong(let limit): self = .inflatedTooLong(limit: limit)
        }
    }
}
