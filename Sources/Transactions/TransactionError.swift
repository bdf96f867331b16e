import ABICodec
import Codecs
import Curves
import JSON

/// Why input is no transaction. Paths are those of the JSON: `actions[2].data.quantity`.
public enum TransactionError: Error, Equatable {
    /// Neither a JSON object nor hex text.
    case unrecognised
    case json(JSONError)
    /// A member of the JSON, at the error's path.
    case value(ABIError)
    /// Action data is given as JSON, and no ABI for the contract is known.
    case noABI(path: String, account: Name)
    /// The contract's ABI has no such action.
    case unknownAction(path: String, account: Name, action: Name)
    /// `hex_data` beside `data` says something else.
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
    case abi(account: Name, ABIError)
}
