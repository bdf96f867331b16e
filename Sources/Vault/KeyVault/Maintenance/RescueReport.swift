/// The data that a rescue recovered from a damaged vault, and the data that it did not.
package struct RescueReport: Equatable, Sendable {
    /// A key that the file names but that was not rescued.
    package struct Loss: Hashable, Sendable {
        /// The name of the entry; nil when it is damaged.
        package let name: EntryName?
        package let reason: Reason
    }

    package enum Reason: Hashable, Sendable {
        /// A row has the columns of an entry but invalid values.
        case malformed
        /// The seal does not open: a byte of the row was changed, or the row comes from another
        /// vault.
        case seal
        /// The seal opened, but the key does not match its public key.
        case key
        /// The public key is in the file, but no row of its entry.
        case rowGone
    }

    /// A key that is in the new vault without the label that one of its rows has.
    package struct DroppedLabel: Hashable, Sendable {
        /// The entry, with the label of that row.
        package let entry: EntryDescription
        package let reason: Reason

        package enum Reason: Hashable, Sendable {
            /// Another rescued key has the same label.
            case ofSeveralKeys
            /// Two rows of the key open and have different labels.
            case rowsDisagree
            /// The verified table of labels assigns the label to another key, or to none.
            case notInTable
            /// The manifest covers neither the row nor the part of the table of labels that would
            /// prove the label.
            case notProved
        }
    }

    /// How the file relates to what this machine has seen of the vault.
    package enum History: Hashable, Sendable {
        /// This machine has not seen the vault, or remembers nothing.
        case unknown
        /// The file is in the state that was seen, or newer.
        case newest
        /// The file is the last backup that was made on this machine, and the vault was not changed
        /// since.
        case lastBackup
        /// The file's generation is lower than the one that was seen: it is an older copy.
        case older(found: Int64, seen: Int64)
        /// The file's log does not continue from the state that was seen: it is an older copy that
        /// was changed since.
        case forked
        /// The damage leaves nothing to compare, or the witness can't be read.
        case notComparable

        /// True if this machine has seen nothing that the file lacks.
        var isNotOlder: Bool { self == .unknown || self == .newest || self == .lastBackup }
    }

    /// The unlock method that opened the damaged vault, and that alone opens the new one.
    package internal(set) var unlockMethod = SlotKind.pin
    /// The entries of the new vault, in order of creation time and name.
    package internal(set) var rescued: [EntryDescription] = []
    /// In order of name; losses without a name are last. `unlistedLosses` more are not listed.
    package internal(set) var losses: [Loss] = []
    package internal(set) var unlistedLosses = 0
    package internal(set) var droppedLabels: [DroppedLabel] = []
    /// Public keys of rows that open but, by the verified manifest, are not in the vault: removed
    /// keys, and keys of a change that a crash interrupted. They are not rescued. At most 10,000.
    package internal(set) var leftOut: [EntryName] = []
    /// Public keys of rescued rows that the verified manifest neither confirms nor excludes,
    /// because the rows of their bucket are damaged. Removed keys may be among them.
    package internal(set) var unconfirmed: [EntryName] = []
    /// The number of keys in the vault's row; nil when that row is lost. It is verified only when
    /// `isVerified` is true.
    package internal(set) var entryCount: Int64?
    /// True if the root of the vault's manifest verifies. If not, older rows of the same vault
    /// can't be distinguished from current ones.
    package internal(set) var isVerified = false
    package internal(set) var history = History.unknown
    /// How many names (hard links) the damaged file has.
    package internal(set) var linkCount = 1
    /// True if the unlock method also opens a slot of another vault in the file or its journal.
    /// Keys of that vault are not rescued.
    package internal(set) var hasOtherVault = false
    /// The keys of the policies that are in the new vault, which the verified manifest proves.
    package internal(set) var policies: [StoredPolicy.Subject] = []
    /// The keys that the policies limit, but whose uses of the limits are not proved.
    package internal(set) var lostUses: [EntryName] = []
    /// The limits of policies that count as used up in the new vault; nil for none.
    package internal(set) var usedUp: UsedUpLimits?
    /// The entries of kinds that this version does not support, which are in the new vault, and the
    /// slots of such kinds, which are not: they open the damaged vault only.
    package internal(set) var unsupported = UnsupportedRows()
    /// The archives of the damaged vault's audit log, by the verified manifest. The new vault has
    /// another master key, so it can't open them.
    package internal(set) var archives: [ArchiveDescription] = []
    /// The contracts whose pinned ABIs are in the new vault, which the verified manifest proves.
    package internal(set) var pinnedABIs: [ContractAddress] = []
    /// The chains whose names are in the new vault, which the verified manifest proves. A chain
    /// without its name is shown by its id, so a rescue without names is complete.
    package internal(set) var namedChains: [NamedChain] = []
    /// True if no digest proves that these are all names of chains.
    package internal(set) var lacksNamedChains = false
    /// Tables whose rows should be in the new vault, and may be missing there: the manifest proves
    /// none of them, or covers rows that are damaged or not interpreted.
    package internal(set) var incompleteTables: Set<VaultTable> = []

    /// True if the vault had, or may have had, policies that are not in the new vault.
    package var lacksPolicies: Bool { incompleteTables.contains(.policies) && !rescued.isEmpty }
    /// True if the verified manifest covers rows of `abis` that are damaged or not interpreted.
    package var lacksPinnedABIs: Bool { isVerified && incompleteTables.contains(.abis) }

    /// True if the new vault provably has every key, pinned ABI and policy. A file that is older
    /// than what this machine has seen lacks later keys.
    package var isComplete: Bool {
        guard isVerified, history.isNotOlder, !hasOtherVault, incompleteTables.isEmpty, lostUses.isEmpty,
            let entryCount
        else { return false }
        // Equal counts prove nothing: a removed key may be counted in place of a lost one.
        return losses.isEmpty && unlistedLosses == 0 && unconfirmed.isEmpty
            && entryCount == Int64(rescued.count)
    }

    /// The number of missing keys that nothing in the file names.
    package var namelessCount: Int64 {
        max(0, (entryCount ?? 0) - Int64(rescued.count + losses.count + unlistedLosses))
    }

    /// The number of rescued keys beyond the number in the vault's row.
    package var excessCount: Int64 { max(0, Int64(rescued.count) - (entryCount ?? .max)) }
}
