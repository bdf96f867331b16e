import ABICodec
import ArgumentParser
import JSON
import KeyVault
import Keys
import Shell
import Signing
import Transactions

// `show KEY --authority`: the permissions that a key controls.

extension Show {
    /// Prints the permissions that the key controls. A public key need not be in the vault.
    func reportControl() throws {
        let (key, isInVault, label) = try publicKey()
        let (control, missing) = try accounts.read { accounts throws(UnreadableAuthority) in
            let authorities = try AccountAuthorities(accounts)
            return (
                KeyControl(key: key, permissions: try authorities.controlled(by: key)),
                authorities.missingAccounts
            )
        }
        let report = Report(
            control: control, missing: missing, isInVault: isInVault, label: label, isVerified: isVerified)
        try json.report(report.text, json: Report.object.json(report))
    }

    /// The key, whether the vault has it, and its label. For a public key, a vault that can't be
    /// read is no error.
    private func publicKey() throws -> (key: PublicKey, isInVault: Bool?, label: String?) {
        if !isVerified, let given = try? PublicKey(key.key) {
            guard let file = try? vault.open(.reading) else { return (given, nil, nil) }
            let entry = try placed(at: vault.name()) { try file.unverifiedEntry(key.key) }
            return (given, entry != nil, entry?.label?.text)
        }
        let file = try vault.open(.reading)
        try key.expectKnown(in: file, vault.name())
        let entry: EntryDescription? =
            isVerified
            ? try method.unlock(file).status(of: key.key).entry
            : try placed(at: vault.name()) { try file.unverifiedEntry(key.key) }
        guard let entry, let found = try? PublicKey(entry.name.text) else {
            throw ValidationError("--authority is for keys, not for credentials")
        }
        return (found, true, entry.label?.text)
    }

    struct Report {
        let control: KeyControl
        /// Accounts whose files are missing.
        let missing: [Name]
        /// nil if no vault was read.
        let isInVault: Bool?
        let label: String?
        let isVerified: Bool

        var text: String {
            let place =
                switch isInVault {
                case true?: label.map { "yes, with the label \"\($0)\"" } ?? "yes, without a label"
                case false?: "no"
                case nil: "not known: no vault can be read"
                }
            var rows = [("key", control.key.text), ("in the vault", place)]
            if isInVault != nil, !isVerified {
                rows.append(("unverified", "read from the file without a PIN; see --verify"))
            }
            rows += control.rows.map { ("controls", $0) }
            let changes = control.permissions.filter { $0.weight != nil }.map(\.level.text)
            if !changes.isEmpty {
                rows.append(
                    (
                        "if it leaks",
                        "replace it with `eosvault build updateauth` in \(changes.joined(separator: ", "))"
                    ))
            }
            if !missing.isEmpty {
                let names = missing.map(\.text).joined(separator: ", ")
                rows.append(("unknown", "the permissions of \(names): give their files with --authority"))
            }
            return rows.map { $0.padded(to: 13) + "  " + $1 + "\n" }.joined()
        }

        static let object = JSONObject<Report>([
            .boolean("unverified", "false with --verify") { !$0.isVerified },
            .boolean(orNull: "in_vault", "whether the vault has the key; null if no vault can be read") {
                $0.isInVault
            },
            .text(orNull: "label", "its label in the vault") { $0.label },
        ]).adding(KeyControl.object) { $0.control }.adding([
            .texts("missing_accounts", "accounts that the permissions refer to and whose files are missing") {
                $0.missing.map(\.text)
            }
        ])
    }
}
