// Results, notes and warnings that commands write to standard error.

import Hardening
import KeyVault
import Policy
import Shell
import Signing

extension Words {
    // MARK: results

    static func madeVault(_ path: String) -> String { "made the vault \(Printable.line(path))" }

    /// - Parameter what: `backup`, or `vault` for a restored one.
    static func madeCopy(_ what: String, _ path: String, _ copy: BackupDescription) -> String {
        "made and verified the \(what) \(Printable.line(path)) with \(copy.entries)"
    }

    /// The contents of a backup, in one line.
    /// - Parameter lastChange: seconds since 1970; nil for an empty audit log.
    static func backupContents(_ report: CheckReport) -> String {
        let change = report.lastChange.map { ", last change \(Clock.text($0)) UTC" } ?? ""
        return
            "\(report.entries.joined(separator: ", ")), \(count(report.recordCount, "record")) in the audit log, "
            + "generation \(report.generation)\(change)"
    }

    static func restorable(_ path: String, _ copy: BackupDescription) -> String {
        "the backup can be restored: \(copy.entries); nothing was made at \(Printable.line(path)), "
            + "because of --dry-run"
    }

    /// - Parameter least: the codes that contain the message.
    static func wroteCodes(_ path: String, count: Int, least: Int) -> String {
        "wrote \(Printable.line(path)) with \(count) codes; " + needed(least)
    }

    static func wroteNumbered(_ first: String, _ last: String, least: Int) -> String {
        "wrote \(Printable.line(first)) to \(Printable.line(last)); " + needed(least)
    }

    private static func needed(_ least: Int) -> String {
        "a reader needs at least \(least) of them, usually a few more"
    }

    /// - Parameter file: what a file is, with its SHA-256.
    static func shownFile(_ file: String) -> String { "the codes have \(file)" }

    /// The row below a code of a sequence.
    static func qrCounter(_ number: Int, of count: Int) -> String {
        "code \(number), at least \(count) are needed; press any key to end"
    }

    /// A window that became too small for a sequence.
    static func qrWindow(_ needed: TerminalSize) -> String {
        "enlarge the window to \(needed.columns) columns and \(needed.rows) rows, or press a key to end"
    }

    static func wrote(_ path: String) -> String { "wrote \(Printable.line(path))" }

    static func removed(_ entry: EntryDescription) -> String {
        "removed \(entry.name)" + (entry.label.map { ", labelled \"\($0.text)\"" } ?? "") + ", from the vault"
    }

    static func addedSlot(_ number: Int) -> String { "added slot \(number)" }
    static func removedSlot(_ number: Int) -> String { "removed slot \(number)" }
    static func repairedSlot(_ number: Int) -> String { "repaired the damaged copy of slot \(number)" }
    static let rekeyed = "the vault has a new master key"

    // MARK: notes and warnings

    static func tryAgain(_ message: String, left: Int) -> String {
        "\(message); try again (\(left == 1 ? "the last try" : "\(left) tries left"))"
    }

    static let policyChanged =
        "earlier backups lack this change of the policy: make a new one with `eosvault backup FILE`"
    static let policyOfAllKeys = "the key has no policy of its own; the policy of all keys is used"
    static let policyRoom =
        "the limits for each recipient have used 80 % of their room or more; when it is full, payments to new "
        + "recipients are refused"
    static let noKeysYet = "no keys yet: `eosvault create`"
    static let listNotVerified =
        "Not verified: read from the file without a PIN. `eosvault list --verify` verifies the list."

    static let olderThanSeen =
        "the vault is older than the state that this machine has recorded, so commands refuse to unlock it: use the "
        + "current file, or give --accept-rollback if you restored this one"

    static func statusNotVerified(archived: Int64) -> String {
        "nothing: `eosvault check` verifies the vault"
            + (archived > 0
                ? "; records 1 to \(archived) are in archives: `eosvault log verify ARCHIVE` verifies them"
                : "")
    }

    static func failedUnlocks(_ number: Int64, last: Int64) -> String {
        "\(count(number, "failed unlock")) since the last successful one, the last at \(Clock.text(last))"
    }

    static func laterChanges(_ number: Int64) -> String {
        "the backup lacks \(count(number, "later change")) of the vault that this machine has seen"
    }

    static let restoredOlder =
        "this machine has seen a newer state of the vault: to use the restored vault, give --accept-rollback once"

    /// - Parameter copy: the copy that may lack later uses.
    static func usedUp(_ limits: UsedUpLimits, by copy: String) -> String {
        "\(copy) may lack later signatures, so the rolling limits of \(count(limits.keyCount, "key")) stay blocked for "
            + "one full window from \(Clock.text(limits.time)) UTC"
    }

    static func hardLinked(_ name: String, count: Int) -> String {
        "\(name): the file has \(count) names (hard links), so an interrupted change under another name would go "
            + "undetected; copy the file with `cp`, and use the copy"
    }

    static func nearlyFull(percent: Int) -> String {
        "the vault has \(percent) % of its maximum size, 1 GiB; a full vault can't sign: archive the "
            + "audit log soon, with `eosvault log archive FILE`"
    }

    /// - Parameter source: the file that was copied.
    static func unusedRows(_ number: Int, of source: String) -> String {
        "unused bytes of the \(source) contain \(count(number, "row")) that the vault did not write; they were not "
            + "copied"
    }

    /// Before a rescue tries slots outside of the tables.
    static func otherSlots(_ number: Int) -> String {
        "no slot in the tables of the vault opens; trying \(count(number, "other slot")) in the file "
            + "(Ctrl-C stops this)"
    }

    /// - Returns: nil when there are none.
    static func unsupported(_ rows: UnsupportedRows) -> String? {
        guard !rows.isEmpty else { return nil }
        return "this version does not support \(list(rows)) of the vault: it keeps them and does not use them"
    }

    static func unsupportedSlots(_ number: Int) -> String? {
        guard number > 0 else { return nil }
        return
            "this version does not support \(count(number, "slot")) of the damaged vault; the new vault does not "
            + "have \(number == 1 ? "it" : "them")"
    }

    private static func list(_ rows: UnsupportedRows) -> String {
        [
            rows.slots > 0 ? count(rows.slots, "slot") : nil,
            rows.entries > 0 ? count(rows.entries, "entry", "entries") : nil,
            rows.records > 0 ? count(rows.records, "audit record") : nil,
        ].compactMap(\.self).joined(separator: ", ")
    }

    static let backupNotRecorded =
        "the vault does not record this backup, because the vault's file has several names (hard links)"

    /// Decoded data in front of bytes that do not belong to it.
    static func partial(trailing: Int) -> String {
        "without its last \(Amount.count(trailing, "byte")), which contracts ignore, the data means:"
    }

    static let toSign = "to sign these bytes and no others:"

    /// Why the value of `--allow` is refused.
    static func refused(_ text: String, _ error: Allowance.ParseError) -> String {
        switch error {
        case .unknownCode(let known):
            "--allow \(Printable.line(text)): there is no such danger; the dangers are "
                + known.joined(separator: ", ")
        case .noDanger(let code): "--allow \(code.rawValue): this warning needs no --allow"
        case .noSubject(.blind): "--allow blind needs an action: --allow blind=ACCOUNT::ACTION"
        case .noSubject(let code):
            "--allow \(code.rawValue) needs an account: --allow \(code.rawValue)=ACCOUNT"
        }
    }

    static func noSuchWarning(_ text: String) -> String {
        "--refuse \(Printable.line(text)): there is no such warning; the warnings are "
            + WarningCode.refusable.joined(separator: ", ")
    }

    static let unverifiedVault =
        "the pinned ABIs, labels and names of chains of the vault are not verified: anyone who can write the file can "
        + "change them"

    static let unverifiedPins =
        "the pinned ABIs of the vault are not verified: anyone who can write the file can change them"

    /// When `sign --lines` ends early.
    static func linesSigned(_ number: Int) -> String {
        "\(count(number, "signature")) \(number == 1 ? "was" : "were") printed and recorded; "
            + "the same file can be signed again and gives the same signatures"
    }

    static let notRecorded =
        "NOT RECORDED: the vault can't be written, so its audit log has no record of this signature"

    /// The command asks for no PIN, so the list of the vault's keys is not verified.
    static let signedAlready =
        "every requested key has already signed, according to unverified data in the vault; nothing was changed"

    static let secretBesideVault =
        "the secret file is in the vault's folder: a thief gets both; move it to a USB stick or another disk"

    static func randomPIN(_ path: String) -> String {
        "the PIN is in \(path), and only there: keep a copy apart from the vault and its backups"
    }

    static let lockedAgain =
        "the vault was locked again, after 5 minutes or a stop (Ctrl-Z): to sign, unlock it again"

    static func waiting(_ seconds: Int64) -> String {
        "waiting \(count(seconds, "second")) because of failed unlocks"
    }

    /// - Parameter count: the size of the raw ABI, in bytes.
    static func hash(_ hash: String, ofRawABI count: Int) -> String {
        "SHA-256 of the raw form (\(Self.count(count, "byte"))): \(hash)"
    }

    static let noWitness =
        "NO STATE FILE: neither XDG_STATE_HOME nor HOME is set, so an older copy of the vault would go undetected"

    static func lostWitness(_ folder: String) -> String {
        "the state folder \(Printable.line(folder)) is in memory or in a layer of a container, and the vault is not: "
            + "after the folder is lost, an older copy of the vault goes undetected; set XDG_STATE_HOME to a folder "
            + "that is kept"
    }

    static func notRemembered(errno: Int32) -> String {
        "the vault's state can't be saved on this machine, so an older copy may go undetected: "
            + systemMessage(errno)
    }

    static let developmentKey =
        "this is the development key of all chains: its private key is published, and everyone can sign with it"

    static func finalURL(_ url: String) -> String {
        "the profile appended parameters: the URL to send is \(url)"
    }
    static let sharedKeyID =
        "another credential has this profile and key id; each counts its own nonces, so the service may reject "
        + "nonces from one of the two; to replace the secret, use `eosvault credential rotate`"
    static let credentialNotBackedUp =
        "no backup contains this secret yet; make one with `eosvault backup FILE`"
    /// The note after a key was created or imported.
    static func notBackedUp(_ count: Int) -> String {
        "no backup contains \(count == 1 ? "this key" : "these keys") yet; make one with `eosvault backup FILE`"
    }

    /// `2 keys`, `1 credential`, or `2 keys` and `1 seed`: the kinds that exist, or `0 keys`.
    static func entries(_ counts: EntryCounts) -> [String] {
        let others = [(counts.credentials, "credential"), (counts.seeds, "seed")].filter { $0.0 > 0 }
        let shown = (counts.keys > 0 || others.isEmpty ? [(counts.keys, "key")] : []) + others
        return shown.map { count($0.0, $0.1) }
    }
}

extension CheckReport {
    /// The entries and the policies.
    var entries: [String] {
        Words.entries(counts)
            + (policyCount > 0 ? [Words.count(policyCount, "policy", "policies")] : [])
    }
}

extension BackupDescription {
    fileprivate var entries: String {
        Words.entries(counts).joined(separator: " and ")
    }
}
