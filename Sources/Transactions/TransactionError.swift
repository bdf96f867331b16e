import ABICodec
import Codecs
import Curves
import JSON

/// Why input is refused as a transaction, or as an ABI for one. Paths are those of the JSON:
/// `actions[2].data.quantity`.
package enum TransactionError: Error, Equatable {
    /// Neither a JSON object nor hex text.
    case unrecognised
    case json(JSONError)
    /// A member of the JSON, at the error's path.
    case value(ABIError)
    /// Action data is given as JSON, and no ABI for the contract is known.
    case noABI(path: String, account: Name)
    /// The contract's ABI has no such action.
    case unknownAction(path: String, account: Name, action: Name)
    /// Two of `data`, `hex_data` and `json_data` of an action differ.
    case dataDisagrees(path: String)
    /// Packed bytes that end early, go on after the transaction, or hold a padded length.
    case bytes(CodecError)
    /// Text that begins as hex and is none.
    case hex(CodecError)
    /// The compression of packed JSON is `none` or `zlib`.
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
    /// A second ABI for an account.
    case abiGivenTwice(account: Name)
    /// An ABI for `account` in a node's answer that names another account.
    case abiOfOtherAccount(account: Name, stated: String)
    /// An ABI for an account with a built-in ABI that decodes `action` differently, or lacks it.
    case abiDiffersFromBuiltIn(account: Name, action: Name, given: ABIHash, builtIn: ABIHash)
    /// An action that the given ABI has and the built-in ABI of the same account lacks.
    case actionNotBuiltIn(path: String, account: Name, action: Name)
}
