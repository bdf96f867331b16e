import ArgumentParser
import KeyVault
import Keys
import Shell

/// A key of the vault, given as a public key or a label.
struct KeyArgument: ParsableArguments {
    @Argument(help: "A public key in any of its forms, or a label.", completion: .keys)
    var key: String

    init() {}

    init(_ key: String) { self.key = key }

    /// Refuses a key that is not in the file, before the PIN is read. The file is verified later.
    @discardableResult
    func expectKnown(in vault: Vault, _ name: String) throws -> EntryName {
        guard let entry = try placed(at: name, { try vault.unverifiedEntry(key) }) else {
            throw Self.unknown(key, place: "the key", vault: name)
        }
        return entry.name
    }

    /// The error for a text that matches no key of the vault: a malformed public key, or an unknown
    /// key.
    static func unknown(_ text: String, place: String, vault: String) -> any Error {
        guard ["EOS", "PUB_", "FIO"].contains(where: { text.hasPrefix($0) }), text.utf8.count > 20 else {
            return CommandError.unknownKey(text, vault: vault)
        }
        do { _ = try PublicKey(text) } catch {
            return WrongArgument(
                error: Placed(place: place, error: KeyRefusal(error: error, kind: .publicKey)))
        }
        return CommandError.unknownKey(text, vault: vault)
    }
}

/// The error of refused key text, and the kind of text that was expected.
struct KeyRefusal: WordedError {
    let error: KeyTextError
    let kind: KeyTextError.Kind

    var words: Words { error.words(kind: kind) }
}
