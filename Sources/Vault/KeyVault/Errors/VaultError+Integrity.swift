extension VaultError {
    /// The file is damaged, forged or older than expected.
    package enum Integrity: Equatable, Sendable {
        case damaged(Damage)
        /// The schema differs from the schema of this format: an object is missing, added or
        /// changed.
        case schemaAltered
        /// Both copies of these slots are damaged, and the vault has no other slot for the given
        /// kind of unlock method.
        case slotsDamaged([Int])
        case audit(AuditFault)
        /// An archive of the audit log was changed or cut off after the record `intactUpTo`; nil if
        /// no record of it is intact.
        case archiveDamaged(intactUpTo: Int64?)
        /// The authenticated digests do not match the rows. Something was edited, moved, added or
        /// removed, or belongs to another vault.
        case manifestMismatch(ManifestPart)
        /// The vault's generation is lower than the one that was seen earlier.
        case rolledBack(found: UInt64, seen: UInt64)
        /// The vault's generation is no lower than the one that was seen earlier, but its audit log
        /// lacks the record that was seen. It is an older copy that was changed since.
        case forked
        /// The witness of the vault can't be read, so an older copy would go undetected.
        case witnessUnreadable
        /// The number of faults in the vault; `Vault.check` lists them.
        case faulty(count: Int)
        /// The sealed secret of the entry does not open, or does not match the entry.
        case entryDamaged(EntryFault)
        /// A statement took more steps than an intact file of this size can need.
        case budgetExceeded
    }

    /// A table has a malformed row.
    static func damaged(_ table: VaultTable) -> VaultError { .integrity(.damaged(.row(table))) }
}

/// Where the bytes can't be as they were written.
package enum Damage: Equatable, Sendable {
    /// SQLite's header has a setting that a vault never has; `offset` is its first byte.
    case header(offset: Int)
    /// The file's length and the length in the header differ; in bytes.
    case length(expected: Int64, found: Int64)
    /// SQLite found malformed pages.
    case pages
    /// A column in a row of this table has a wrong type, length or value.
    case row(VaultTable)
}

/// The part of the manifest that does not match.
package enum ManifestPart: Equatable, Sendable {
    /// The root: the digests were changed, or come from another vault or master key.
    case root
    /// One bucket of a table's rows.
    case bucket(VaultTable, Int)
}

package enum EntryFault: Equatable, Sendable {
    /// The authenticated encryption refused the secret.
    case seal
    /// The secret opened, but is not a valid key of its curve, or not the key of its public key.
    case key
}

/// A fault of the audit log; `sequence` counts records from 1.
package enum AuditFault: Equatable, Sendable {
    /// The record was changed or replaced by another one.
    case changed(sequence: Int64)
    /// The record is missing, and later records exist.
    case missing(sequence: Int64)
    /// Records at the end are missing: the log ends before the last record in the manifest.
    case cut(last: Int64, expected: Int64)
    /// A record follows the last record in the manifest.
    case extra(sequence: Int64)
}
