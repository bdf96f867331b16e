import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell

struct Show: ListingCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Print the details of one key.",
        discussion: """
            Prints the public key in all forms, the label, the creation time, whether a verified backup contains the \
            key, and whether a policy limits it. \(ListingOptions.doubt)

            With --authority, the command prints only the permissions that the key controls: what to change if the \
            key leaks. Each file is a node's answer to get_account (`cleos get account NAME -j`). A permission counts \
            if it has the key, or if it refers to such a permission of these files with ACCOUNT@PERMISSION. `alone` \
            means that the key can use it without another key and without a delay. The owner permission can change \
            all permissions of its account. KEY can be a public key that is not in the vault: then no vault is needed.

              eosvault show treasury
              eosvault show treasury --verify
              eosvault show treasury --authority alice.json --authority bank.json
            """)

    @OptionGroup var key: KeyArgument
    @OptionGroup var accounts: AccountFiles
    @OptionGroup var listing: ListingOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var qr: QROptions
    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess {
        listing.fileAccess + qr.fileAccess + accounts.authority.fileAccess
    }

    func validate() throws {
        try qr.expectText(json)
        if qr.makesCodes, !accounts.authority.isEmpty {
            throw ValidationError("--authority prints no key as a QR code: omit --qr and --qr-file")
        }
        try accounts.authority.refuseSharedInput(with: method.inputs)
    }

    func run() throws {
        guard accounts.authority.isEmpty else { return try reportControl() }
        let codes = try qr.prepared()
        let file = try vault.open(.reading)
        let name = try vault.name()
        guard let unverified = try placed(at: name, { try file.unverifiedStatus(of: key.key) }) else {
            throw KeyArgument.unknown(key.key, place: "the key", vault: name)
        }
        if unverified.entry.isKey { try codes.expectRoom(for: QRContent(keys: [unverified.entry])) }
        let (status, policies) =
            isVerified
            ? try Self.verified(key.key, in: method.unlock(file))
            : (unverified, (try? file.unverifiedPolicies()) ?? [])
        let subjects = policies.map(\.subject).filter { status.entry.isKey && $0.includes(status.entry.name) }
        if status.entry.label != nil {
            let flags = try placed(at: name) { try file.unverifiedEntries() }.labelFlags
            Messages.warn(of: flags.filter { $0.name == status.entry.name })
        }
        let isOfAllKeys = subjects == [.allKeys]
        let (code, text) =
            subjects.isEmpty ? (nil, nil) : isOfAllKeys ? ("all-keys", "for all keys") : ("own", "its own")
        try json.report(
            status.text(isVerified: isVerified, policy: text),
            json: status.json(isVerified: isVerified).adding(["policy": .string(code)]))
        if status.entry.isKey { try codes.deliver(QRContent(keys: [status.entry])) }
    }

    private static func verified(
        _ key: String, in vault: borrowing UnlockedVault
    ) throws -> (KeyStatus, [StoredPolicy]) { (try vault.status(of: key), try vault.policies()) }
}

extension KeyStatus {
    /// A line for each fact of the entry, then its label, its time and its backup.
    /// - Parameter policy: which policy limits the key; nil for none.
    func text(isVerified: Bool, policy: String? = nil) -> String {
        var rows = entry.facts.compactMap { fact in
            fact.title.flatMap { title in fact.value.map { (title, $0) } }
        }
        rows += [
            ("label", entry.label?.text ?? "none"), ("created", Clock.text(entry.createdAt)),
            ("restored by", restoredBy),
        ]
        if let policy { rows.append(("policy", policy)) }
        if !isVerified {
            rows.append(("unverified", "read from the file without a PIN; see --verify"))
        }
        return rows.map { $0.padded(to: 13) + "  " + $1 + "\n" }.joined()
    }

    /// What restores the entry if this vault is lost.
    private var restoredBy: String {
        switch entry.tokens.count {
        case 0:
            let paper = entry.isOnPaper ? "the words or the shares of its seed" : nil
            let copies = [isInBackup ? "a verified backup" : nil, paper].compactMap(\.self)
            return copies.isEmpty ? "nothing: no verified backup has it" : copies.joined(separator: "; ")
        case 1: return "nothing: the key is only in this token"
        default: return "another of its tokens"
        }
    }

    /// The kind of an entry decides which facts it has.
    static let shownKey = JSONShape.object([
        "unverified": .boolean("false with --verify"), "canonical?": .text("the key, as PUB_K1_…"),
        "legacy?": .orNull(.text, "the key, as EOS…; null for a key that is not K1"),
        "binary?": .text("the packed key, in hex: one byte for the curve, then 33 bytes"),
        "seed?": .orNull(.text, "the name of the seed that it was derived from"),
        "path?": .orNull(.text, "its path from that seed, as m/44'/194'/0'/0/0"),
        "first_key?": .orNull(.text, "of a seed, its first public key"),
        "form?": .orNull(.text, "of a seed, `words` or `master-secret`"),
        "next_path?": .orNull(.text, "of a seed, the path of its next key"),
        "tokens?": .text("the URIs of the tokens that have the private key, separated by spaces"),
    ]).adding(object.shape)
        .adding(["policy": .orNull(.text, "which policy limits it: `own` or `all-keys`; null for none")])

    static let shownCredential: JSONShape = [
        "name": .text("its id"), "profile": .text("its profile"),
        "parameters": .text("the profile and all its parameters: the text of a JSON object"),
        "key_id": .text("the public part of the API key"), "url_prefix": .orNull(.text, "the URL prefix"),
        "nonce_unit": .text("`ms`, `us` or `s`"),
        "last_nonce": .text("the last nonce, in decimal; 0 for none"),
        "kind": .number("16"), "label": .orNull(.text, "its label"),
        "created": .text("when it was added, in UTC"),
        "backed_up": .boolean("whether a verified backup has it"),
    ]

    func json(isVerified: Bool) -> JSONValue {
        (["unverified": .boolean(!isVerified)] as JSONValue).adding(details)
    }

    /// The facts of the entry, then its label, its time and its backup.
    var details: JSONValue {
        let facts = entry.facts.filter { $0.field != "kind" }
            .map { JSONMember($0.field, .string($0.value)) }
        let kind: JSONValue = entry.isKey ? [:] : ["kind": .number(entry.kind.number)]
        return JSONValue.object(facts).adding(kind).adding([
            "label": .string(entry.label?.text), "created": .string(Clock.text(entry.createdAt)),
            "backed_up": .boolean(isBackedUp),
        ])
    }
}
