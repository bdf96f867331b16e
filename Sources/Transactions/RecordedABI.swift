import ABICodec

/// The raw form of an ABI as a chain stored it, known by its hash: a file with this hash is
/// accepted in place of the ABI that is built in for the same account.
package struct RecordedABI: Hashable, Sendable {
    /// The account whose ABI it is.
    package let account: String
    /// SHA-256 of the raw form, as 64 hex digits: what chains call `abi_hash`.
    package let sha256: String
    /// The chain it was recorded from, as `Chain.name`.
    package let chain: String
    /// When it was recorded, or was first published by its source: a date of ISO 8601.
    package let date: String
    package let source: String

    /// All that are known, those of one account from the newest to the oldest.
    package static let all: [RecordedABI] = BuiltInABI.all.flatMap(\.recorded)

    /// The recorded ABI of an account with this hash; nil when there is none.
    package static func find(_ hash: ABIHash, for account: Name) -> RecordedABI? {
        all.first { $0.account == account.text && $0.sha256 == hash.text }
    }
}
