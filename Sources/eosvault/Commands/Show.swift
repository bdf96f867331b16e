import ArgumentParser
import Codecs
import Curves
import JSON
import KeyText
import KeyVault
import Sandbox

struct Show: ConfinedCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the details of one key.",
        discussion: """
            Prints the public key in all forms, the label, the creation time, and whether the key is in a verified \
            backup. Without --verify, no PIN is needed and nothing is verified: anyone who can write the file can \
            change the output.

              eosvault show treasury
              eosvault show treasury --verify
            """)

    @OptionGroup var key: KeyArgument
    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions
    @OptionGroup var verification: VerifyOption

    @OptionGroup var json: JSONOption

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { verification.verify ? vault.fileAccess(by: method) : vault.lockedAccess }

    func run() throws {
        let file = try vault.open(.reading)
        let name = try vault.name()
        guard let unverified = try placed(at: name, { try file.unverifiedStatus(of: key.key) }) else {
            throw KeyArgument.unknown(key.key, place: "the key", vault: name)
        }
        let status = verification.verify ? try method.unlock(file).status(of: key.key) : unverified
        let publicKey = try PublicKey(status.entry.name)
        try Output.data(
            json.isOn
                ? Printable.json(Self.json(status, publicKey, verification), .pretty) + "\n" : text(status, publicKey))
    }

    private func text(_ status: KeyStatus, _ key: PublicKey) -> String {
        let forms = [key.legacyText, key.canonicalText].compactMap(\.self)
        var rows = forms.enumerated().map { index, form in (index == 0 ? "public key" : "", form) }
        rows += [
            ("label", status.entry.label?.text ?? "none"), ("created", Clock.text(status.entry.createdAt)),
            ("backup", status.isBackedUp ? "in a verified backup" : "in no verified backup"),
        ]
        if !verification.verify {
            rows.append(("unverified", "read from the file without a PIN; see --verify"))
        }
        return rows.map { $0.padded(to: 13) + "  " + $1 + "\n" }.joined()
    }

    private static func json(_ status: KeyStatus, _ key: PublicKey, _ verification: VerifyOption) -> JSONValue {
        var writer = ByteWriter()
        key.write(to: &writer)
        let entry = status.entry
        return .object([
            JSONMember("unverified", .boolean(!verification.verify)),
            JSONMember("public_key", .string(entry.name)),
            JSONMember("canonical", .string(key.canonicalText)),
            JSONMember("legacy", key.legacyText.map { .string($0) } ?? .null),
            JSONMember("binary", .string(Hex.encode(writer.bytes))),
            JSONMember("label", entry.label.map { .string($0.text) } ?? .null),
            JSONMember("created", .string(Clock.text(entry.createdAt))),
            JSONMember("backed_up", .boolean(status.isBackedUp)),
        ])
    }
}
