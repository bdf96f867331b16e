/// What a rescue brought out of a damaged vault, and what it did not.
public struct RescueReport: Equatable, Sendable {
    /// A key that the file tells of and that is not rescued.
    public struct Loss: Hashable, Sendable {
        /// The public key; nil where the damage is in it.
        public let name: String?
        public let reason: Reason
    }

    public enum Reason: Hashable, Sendable {
        /// The columns of an entry, and values that no entry has.
        case malformed
        /// The seal does not open: some byte of the row is another one, or it comes from another vault.
        case seal
        /// It opened, and is not the key of its public key.
        case key
        /// An entry of a kind that this version does not know.
        case unsupportedKind(UInt8)
        /// The public key stands in the file, and no row of it.
        case rowGone
    }

    /// The entries of the new vault, by time of creation and name.
    public let rescued: [EntryDescription]
    /// By name, those without a name last; `unlistedLosses` more are not listed.
    public let losses: [Loss]
    public let unlistedLosses: Int
    /// Keys whose label another rescued key has: they are in the new vault without it.
    public let droppedLabels: [EntryDescription]
    /// How many keys the vault said that it had; nil when that row is lost.
    public let entryCount: Int64?

    /// Whether every key that the vault had is in the new one, as far as the file tells.
    public var isComplete: Bool {
        guard let entryCount else { return false }
        return losses.isEmpty && unlistedLosses == 0 && entryCount <= Int64(rescued.count)
    }

    /// How many keys are missing that nothing in the file names.
    public var namelessCount: Int64 {
        max(0, (entryCount ?? 0) - Int64(rescued.count + losses.count + unlistedLosses))
    }
}
