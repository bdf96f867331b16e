import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct List: PlainListing {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "Print the public keys, the credentials and the seeds of the vault.",
        discussion: """
            \(ListingOptions.doubt) A terminal shows a table. A pipe gets a line for each entry: the public key, or \
            the id of the credential or seed; `unverified` without --verify; and the label.

              eosvault list
              eosvault list --verify
            """)

    @OptionGroup var listing: ListingOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var qr: QROptions
    @OptionGroup var sandbox: SandboxOption

    init() {}

    init(vault: String?, json isJSON: Bool) {
        listing = ListingOptions(plain: vault)
        json = JSONOption(isOn: isJSON)
        qr = QROptions(picture: QRPictureOptions(file: nil, fragment: nil))
        sandbox = SandboxOption(isOff: false)
    }

    var requiredAccess: FileAccess { listing.fileAccess + qr.fileAccess }

    func validate() throws { try qr.expectText(json) }

    func run() throws {
        let codes = try qr.prepared()
        let keys = try statuses { file in
            try codes.expectRoom(
                for: QRContent(keys: placed(at: vault.name()) { try file.unverifiedEntries() }))
        }
        Messages.warn(of: keys.map(\.entry).labelFlags)
        if keys.isEmpty { Messages.note(Words.noKeysYet) }
        if json.isOn {
            try Output.json(Self.object.json((isVerified, keys)))
        } else if let size = TerminalSize.ofStandardOutput {
            try Output.data(KeyTable(keys: keys, isVerified: isVerified).text(width: size.columns))
        } else {
            try Output.data(keys.map { $0.entry.line(isVerified ? nil : "unverified") + "\n" }.joined())
        }
        if keys.contains(where: \.entry.isKey) { try codes.deliver(QRContent(keys: keys.map(\.entry))) }
    }
}

extension List {
    static let object = JSONObject<(isVerified: Bool, keys: [KeyStatus])>([
        .boolean("unverified", "false with --verify") { !$0.isVerified },
        .list("keys", of: KeyStatus.object, "the keys, by creation time, then by public key") {
            $0.keys.filter(\.entry.isListedAsKey)
        },
        .list("credentials", of: KeyStatus.object, "the credentials, in the same order") {
            $0.keys.filter { $0.entry.kind == .credential }
        },
        .list("seeds", of: KeyStatus.object, "the seeds, in the same order") {
            $0.keys.filter { $0.entry.kind == .seed }
        },
    ])
}

/// The list of keys on a terminal.
struct KeyTable {
    let keys: [KeyStatus]
    let isVerified: Bool

    /// A header, a row for each key, and a footnote if nothing was verified. If a row is wider than
    /// the terminal, each key has a row of its own. A label that is too long for its row is split,
    /// with a mark, so that its rest can't look like a row of the program.
    func text(width: Int) -> String {
        guard !keys.isEmpty else { return "" }
        let cells =
            [(keys.allSatisfy(\.entry.isKey) ? "KEY" : "KEY OR OTHER ENTRY", "BACKUP", "LABEL")]
            + keys.map { key in
                (key.entry.name.text, key.isBackedUp ? "yes" : "NO", key.entry.label?.text ?? "")
            }
        let column = cells.map(\.0.columns).max() ?? 0
        let isWide = cells.allSatisfy { column + Self.backupColumn + $0.2.columns <= width }
        var rows = Rows(width: width)
        for (key, backup, label) in cells {
            if isWide {
                rows.append("\(key.padded(to: column))  \(backup.padded(to: 6))  \(label)")
            } else {
                rows.append(key)
                rows.append("  \(backup.padded(to: 6))  ", data: label, bar: "  ")
            }
        }
        if !isVerified {
            rows.append("")
            rows.append("", words: Words.listNotVerified, indent: 0)
        }
        return rows.rows.map { $0.trimmed + "\n" }.joined()
    }

    /// The width of the column BACKUP and of the spaces around it.
    private static let backupColumn = 10
}
