import ArgumentParser
import Curves
import KeyText
import KeyVault

/// A key of the vault, as a person names it.
struct KeyArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("A public key in any of its forms, or a label.", valueName: "key"))
    var key: String

    /// Refuses a name that the file does not know, before a PIN is asked for. What the file says is
    /// verified afterwards.
    func expectKnown(in vault: Vault, _ name: String) throws {
        guard try placed(at: name, { try vault.unverifiedEntry(key) }) != nil else {
            throw Self.unknown(key, place: "the key", vault: name)
        }
    }

    /// What is wrong with a text that names no key of the vault: it is no label, and perhaps no key
    /// at all.
    static func unknown(_ text: String, place: String, vault: String) -> any Error {
        guard ["EOS", "PUB_", "FIO"].contains(where: { text.hasPrefix($0) }), text.utf8.count > 20 else {
            return CommandError.unknownKey(vault: vault)
        }
        do { _ = try PublicKey(text) } catch {
            return Placed(place: place, error: KeyRefusal(error: error, kind: .publicKey))
        }
        return CommandError.unknownKey(vault: vault)
    }
}
