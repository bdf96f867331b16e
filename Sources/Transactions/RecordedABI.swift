import ABICodec

/// The hash of an ABI's raw form as a chain stored it. A file with this hash is accepted in place
/// of the ABI that is built in for the same account.
public struct RecordedABI: Hashable, Sendable {
    /// The account whose ABI it is.
    public let account: String
    /// SHA-256 of the raw form as 64 hex digits. Chains call it `abi_hash`.
    public let sha256: String
    /// The chain that the ABI was recorded from, as `Chain.name`.
    public let chain: String
    /// When the ABI was recorded, or first published by its source: a date in ISO 8601.
    public let date: String
    public let source: String

    /// All recorded ABIs. Those of one account are sorted from newest to oldest.
    public static let all: [RecordedABI] = BuiltInABI.all.flatMap(\.recorded)

    /// The recorded ABI of an account with this hash; nil if there is none.
    public static func find(_ hash: ABIHash, for account: Name) -> RecordedABI? {
        all.first { $0.account == account.text && $0.sha256 == hash.text }
    }
}
