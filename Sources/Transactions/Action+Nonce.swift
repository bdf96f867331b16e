import ABICodec
import Codecs
import JSON

extension Action {
    /// The account without a contract that actions without effect are sent to (AntelopeIO/leap,
    /// config::null_account_name).
    private static let nullAccount = "eosio.null"

    /// What the data of a nonce states, as compact JSON; nil for another action.
    ///
    /// `cleos --force-unique` adds a context-free `eosio.null::nonce` without authorization, so
    /// that two equal transactions differ (AntelopeIO/leap, programs/cleos/main.cpp,
    /// generate_nonce_action). No contract reads it. Its 8 bytes are the microseconds since 1970 at
    /// which it was made: `{"microseconds":"1763790000123456"}`. Other tools write other bytes:
    /// `{"hex":"00ff"}`.
    /// - Parameter isContextFree: Whether it is among the transaction's context-free actions.
    package func nonce(isContextFree: Bool) -> [UInt8]? {
        guard isContextFree, authorization.isEmpty, account.text == Self.nullAccount, name.text == "nonce" else {
            return nil
        }
        let value: JSONMember
        if data.count == 8 {
            let microseconds = data.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // As nodeos prints 64 bits: in quotes beyond 32.
            value = JSONMember(
                "microseconds",
                microseconds > UInt64(UInt32.max) ? .string("\(microseconds)") : .number("\(microseconds)"))
        } else {
            value = JSONMember("hex", .string(Hex.encode(data)))
        }
        return Array(JSONValue.object([value]).text().utf8)
    }
}
