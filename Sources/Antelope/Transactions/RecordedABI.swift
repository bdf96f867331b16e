import ABICodec

/// The hash of an ABI's raw form as a chain stored it. A file with this hash is accepted in place
/// of the ABI that is built in for the same account.
package struct RecordedABI: Hashable, Sendable {
    /// The account whose ABI it is.
    package let account: String
    /// SHA-256 of the raw form as 64 hex digits. Chains call it `abi_hash`.
    package let sha256: String
    /// The chain that the ABI was recorded from, as `Chain.name`.
    package let chain: String
    /// When the ABI was recorded, or first published by its source: a date in ISO 8601.
    package let date: String
    package let source: String

    /// All recorded ABIs. The ABIs of one account are sorted from newest to oldest.
    package static let all: [RecordedABI] = BuiltInABI.all.flatMap(\.recorded)

    /// The recorded ABI of an account with this hash; nil if there is none.
    package static func find(_ hash: ABIHash, for account: Name) -> RecordedABI? {
        all.first { $0.account == account.text && $0.sha256 == hash.text }
    }
}
