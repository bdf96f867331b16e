import ABICodec
import Codecs

extension Action {
    /// The account without a contract to which actions without effect are sent (AntelopeIO/leap,
    /// config::null_account_name).
    private static let nullAccount = "eosio.null"

    /// The contents of a nonce action; nil for any other action.
    ///
    /// `cleos --force-unique` adds a context-free `eosio.null::nonce` without authorization, so
    /// that two equal transactions differ (AntelopeIO/leap, programs/cleos/main.cpp,
    /// generate_nonce_action). No contract reads it. Its 8 bytes are the time of its creation in
    /// microseconds since 1970: `{"microseconds":"1763790000123456"}`. Other tools write other
    /// bytes: `{"hex":"00ff"}`.
    /// - Parameter isContextFree: True if the action is in the transaction's list of context-free
    ///   actions.
    package func nonce(isContextFree: Bool) -> TypedValue? {
        guard isContextFree, authorization.isEmpty, account.text == Self.nullAccount, name.text == "nonce"
        else {
            return nil
        }
        guard data.count == 8 else {
            return .fields([TypedField(name: "hex", value: .plain(Hex.encode(data)))])
        }
        let microseconds = data.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        // nodeos prints 64-bit integers above 2^32 - 1 in quotes.
        let isQuoted = microseconds > UInt64(UInt32.max)
        let value: TypedValue = isQuoted ? .plain("\(microseconds)") : .unquoted("\(microseconds)")
        return .fields([TypedField(name: "microseconds", value: value)])
    }
}
