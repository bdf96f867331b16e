import ABICodec
import Keys
import Shell
import Transactions

extension Words {
    // MARK: - notes and warnings

    static func forgottenBlock(_ time: TimePointSec) -> String {
        "the block is of \(time.text) UTC, which will be too old: nodes accept the transaction only in the hour before "
            + "it expires, and a block is valid for about 9 hours; use a newer block, or an earlier --expires"
    }

    static func replacesUnknown(_ place: String) -> String {
        "updateauth \(place) replaces unknown keys and accounts: to see them, save the output of "
            + "`cleos get account \(place.prefix { $0 != "@" }) -j`, and give the file with --authority"
    }

    static func replaces(_ place: String, _ authority: Authority) -> String {
        "updateauth \(place) replaces: \(text(of: authority))"
    }

    static func makesPermission(_ place: String) -> String { "updateauth \(place) makes a new permission" }

    static func setsAuthority(of place: String, _ authority: Authority) -> String {
        "updateauth \(place) sets: \(text(of: authority))"
    }

    static func payments(_ count: Int, transactions: Int) -> String {
        "\(Self.count(count, "payment")) in \(Self.count(transactions, "transaction")); "
            + "review and sign them with `eosvault sign --lines`"
    }

    /// For example `threshold 2: EOS… weight 1, bob@active weight 1, 3600 seconds weight 1`.
    fileprivate static func text(of authority: Authority) -> String {
        let parts =
            authority.keys.map { "\($0.key.text) weight \($0.weight)" }
            + (authority.nullKeyWeight.map { ["\(NullKey.legacyText) weight \($0)"] } ?? [])
            + authority.accounts.map { "\($0.level.text) weight \($0.weight)" }
            + authority.waits.map { "wait of \(count($0.seconds, "second")) weight \($0.weight)" }
        return "threshold \(authority.threshold): " + parts.joined(separator: ", ")
    }
}
