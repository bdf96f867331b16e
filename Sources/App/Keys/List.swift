import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct List: ListingCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the public keys and the credentials of the vault.",
        discussion: """
            Without --verify, no PIN is needed and nothing is verified: anyone who can write the file can change the \
            list. On a terminal, they are in a table. A pipe gets one line for each: the public key or the id of \
            the credential, `unverified` without --verify, and the label.

              eosvault list
              eosvault list --verify
            """)

    @OptionGroup var listing: ListingOptions

    @OptionGroup var json: JSONOption
    @OptionGroup var qr: QROptions

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { listing.fileAccess + qr.fileAccess }

    func validate() throws { try qr.expectText(json) }

    func run() throws {
        let codes = try qr.prepared()
        let keys = try statuses()
        Messages.warn(of: keys.map(\.entry).labelFlags)
        if keys.isEmpty { Messages.note(Words.noKeysYet) }
        if json.isOn {
            try Output.json(Self.object.json((isVerified, keys)))
        } else if let size = TerminalSize.ofStandardOutput {
            try Output.data(KeyTable(keys: keys, isVerified: isVerified).text(width: size.columns))
        } else {
            let doubt = isVerified ? [] : ["unverified"]
            let lines = keys.map(\.entry).map { entry in
                ([entry.name.text] + doubt + [entry.label?.text].compactMap(\.self)).joined(separator: " ") + "\n"
            }
            try Output.data(lines.joined())
        }
        if keys.contains(where: \.entry.isKey) { try codes.deliver(keys.map(\.entry)) }
    }
}

extension List {
    static let object = JSONObject<(isVerified: Bool, keys: [KeyStatus])>([
        .boolean("unverified", "false with --verify") { !$0.isVerified },
        .list("keys", of: KeyStatus.object, "the keys, by creation time, then by public key") {
            $0.keys.filter { $0.entry.kind != .credential }
        },
        .list("credentials", of: KeyStatus.object, "the credentials, in the same order") {
            $0.keys.filter { $0.entry.kind == .credential }
        },
    ])
}
