import FIDO2
import Files
import Messages
import SecureMemory
import TPM

extension VaultError: WordedError {
    package var words: Words {
        switch self {
        case .input(let error): error.words
        case .file(let error): error.words
        case .machine(let error): error.words
        case .integrity(let error): error.words
        case .tpm(let error): error.words
        case .fido2(let error): error.words
        }
    }
}

extension VaultError.Machine {
    package var words: Words {
        switch self {
        case .timeOutOfRange: Words(.clock)
        case .busy: Words(.busy)
        case .diskFull: Words(.diskFull, "the disk is full; the vault was not changed")
        case .readOnly:
            Words(
                .readOnly, "the vault can't be written",
                hint: "make the vault, its folder and its file system writable")
        case .commitUncertain:
            Words(
                .commitUncertain,
                "the change was written, but the vault's folder could not be synced to the disk: "
                    + "a power failure may undo the change")
        case .system(let operation, let number):
            Words(.inputOutput, "\(operation.name): \(systemMessage(number))")
        case .memory(let error): error.words
        case .notEnoughMemory(let needed):
            Words(.notEnoughMemory, "not enough memory: the key derivation needs \(needed >> 20) MiB")
        case .sqlite(let code): Words(.damaged, "SQLite failed with code \(code)")
        case .relativeFolder(let variable):
            Words(
                .noHome, "\(variable.rawValue) is not an absolute path",
                hint: "set it to a path that begins with a slash"
                    + (variable == .home ? "" : ", or unset it: eosvault then uses a folder below HOME"))
        }
    }
}

extension VaultError.Integrity {
    package var words: Words {
        switch self {
        case .damaged(let damage): Words(.damaged, "the vault is damaged: \(damage.text)")
        case .schemaAltered: Words(.damaged, "the vault's database schema was modified")
        case .slotsDamaged(let slots): Words(.damaged, "both copies of \(Words.slots(slots)) are damaged")
        case .audit(let fault): Words(.damaged, "the audit log was modified: \(fault.text)")
        case .archiveDamaged(let last): .archiveDamaged(intactUpTo: last)
        case .manifestMismatch(let part):
            Words(.damaged, "the vault was modified by something other than eosvault: \(part.text)")
        case .rolledBack(let found, let seen):
            Words(
                .rolledBack,
                "the vault is older (generation \(found)) "
                    + "than the copy last seen on this machine (generation \(seen))")
        case .faulty(let count): Words(.damaged, "the vault has \(Words.count(count, "fault"))")
        case .witnessUnreadable: Words(.witnessUnreadable)
        case .forked:
            Words(
                .rolledBack,
                "the vault is an older copy that was changed separately: "
                    + "its audit log lacks a record that this machine has seen")
        case .entryDamaged(let fault): Words(.damaged, "the key or credential can't be used: \(fault.text)")
        case .budgetExceeded:
            Words(.damaged, "the vault's file is damaged: reading it takes more work than any valid vault")
        }
    }
}

extension Damage {
    fileprivate var text: String {
        switch self {
        case .header(let offset): "wrong byte in the header, at offset \(offset)"
        case .length(let expected, let found): "the file has \(found) bytes instead of \(expected)"
        case .pages: "malformed database pages"
        case .row(let table): "malformed row in the table \(table)"
        }
    }
}

extension ManifestPart {
    fileprivate var text: String {
        switch self {
        case .root: "the manifest (list of digests) does not match the vault"
        case .bucket(let table, _): "rows of the table \(table) do not match their digest"
        }
    }
}

extension SystemOperation {
    fileprivate var name: String {
        switch self {
        case .inspect: "can't be accessed"
        case .open: "can't be opened"
        case .create: "can't be created"
        case .write: "can't be written"
        case .sync: "can't be synced"
        case .rename: "can't be renamed"
        case .makeFolder: "the folder can't be created"
        case .read: "can't be read"
        }
    }
}

extension EntryFault {
    /// The fault in a key's entry. The text follows the key's name.
    package var text: String {
        switch self {
        case .seal: "its entry is damaged or was modified"
        case .key: "its entry contains the private key for another public key"
        }
    }
}

extension AuditFault {
    package var text: String {
        switch self {
        case .changed(let sequence): "record \(sequence) was changed"
        case .missing(let sequence): "record \(sequence) is missing"
        case .cut(let last, let expected):
            expected == last + 1
                ? "record \(expected), the last one, is missing"
                : "records \(last + 1) to \(expected), the last ones, are missing"
        case .extra(let sequence): "record \(sequence) was not written by this vault"
        }
    }
}

extension Words {
    package static func archiveDamaged(intactUpTo last: Int64?) -> Words {
        Words(
            .archiveDamaged,
            "the archive was changed or cut off; "
                + (last.map { "its records up to \($0) are intact" } ?? "none of its records is intact"))
    }
}
