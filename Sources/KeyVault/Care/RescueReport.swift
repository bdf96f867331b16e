/// What a rescue brought out of a damaged vault, and what it did not.
package struct RescueReport: Equatable, Sendable {
    /// A key that the file names and that is not rescued.
    package struct Loss: Hashable, Sendable {
        /// The public key; nil where the damage is in it.
        package let name: String?
        package let reason: Reason
    }

    package enum Reason: Hashable, Sendable {
        /// The columns of an entry, and values that no entry has.
        case malformed
        /// The seal does not open: some byte of the row is another one, or it comes from another
        /// vault.
        case seal
        /// It opened, and is not the key of its public key.
        case key
        /// An entry of a kind that this version does not know.
        case unsupportedKind(UInt8)
        /// The public key is in the file, and no row of it.
        case rowGone
    }

    /// A key that is in the new vault without the label that a row of it has.
    package struct DroppedLabel: Hashable, Sendable {
        /// As its row has it.
        package let entry: EntryDescription
        package let reason: Reason

        package enum Reason: Hashable, Sendable {
            /// Another rescued key has the label too.
            case ofSeveralKeys
            /// Two rows of the key open and have different labels.
            case rowsDisagree
            /// The verified table of labels gives the label to another key, or to none.
            case notInTable
            /// The manifest covers neither the row nor the part of the table of labels that would
            /// prove the label.
            case notProved
        }
    }

    /// How the file relates to what this machine has seen of the vault.
    package enum History: Hashable, Sendable {
        /// This machine has seen nothing of the vault, or remembers nothing.
        case unknown
        /// It is what was seen, or newer.
        case newest
        /// It is the last backup that was made on this machine, and the vault was not changed
        /// since.
        case lastBackup
        /// Its generation is lower than the one that was seen: an older copy.
        case older(found: Int64, seen: Int64)
        /// Its log does not lead from what was seen: an older copy that was changed since.
        case forked
        /// The damage leaves nothing that could be compared, or what was seen can't be read.
        case notComparable
    }

    /// The entries of the new vault, by time of creation and name.
    public internal(set) var rescued: [EntryDescription] = []
    /// By name, those without a name last; `unlistedLosses` more are not listed.
    public internal(set) var losses: [Loss] = []
    public internal(set) var unlistedLosses = 0
    public internal(set) var droppedLabels: [DroppedLabel] = []
    /// Public keys of rows that open and are not in the vault by its verified manifest: removed
    /// keys, and keys of a change that a crash cut short. They are not rescued. At most 10,000.
    public internal(set) var leftOut: [String] = []
    /// Public keys of rescued rows that open but that the verified manifest neither confirms nor
    /// excludes, because the rows of their bucket are damaged: removed keys may be among them.
    public internal(set) var unconfirmed: [String] = []
    /// How many keys the vault said that it had; nil when that row is lost. True only where
    /// `isVerified`.
    public internal(set) var entryCount: Int64?
    /// Whether the root of the vault's manifest verifies. If not, older rows of the same vault
    /// can't be distinguished from its own.
    public internal(set) var isVerified = false
    public internal(set) var history = History.unknown
    /// How many names (hard links) the damaged file has.
    public internal(set) var linkCount = 1

    /// Whether every key that the vault of this file had is in the new one, and this is proved.
    /// Whether the file is the newest state of the vault, `history` states.
    package var isComplete: Bool {
        guard isVerified, let entryCount else { return false }
        // Equal counts prove nothing while a removed key may be counted in the place of a lost one.
        return losses.isEmpty && unlistedLosses == 0 && unconfirmed.isEmpty && entryCount == Int64(rescued.count)
    }

    /// How many keys are missing that nothing in the file names.
    package var namelessCount: Int64 {
        max(0, (entryCount ?? 0) - Int64(rescued.count + losses.count + unlistedLosses))
    }

    /// How many more keys were rescued than the vault said that it had.
    package var excessCount: Int64 { max(0, Int64(rescued.count) - (entryCount ?? .max)) }
}
