import ABICodec
import Keys

/// The key of an authority as a user writes it: a public key, or the label of a key in a vault.
package enum KeySource: Hashable, Sendable {
    case key(PublicKey)
    case label(String)

    /// - Throws: `keyText` for text that looks like a key, but is no public key.
    package init(_ text: String) throws(ABIError) {
        do throws(KeyTextError) { self = .key(try PublicKey(text)) } catch {
            guard !text.isEmpty, error != .privateKeyGiven, !Self.looksLikeKey(text) else {
                throw ABIError(.keyText(error))
            }
            self = .label(text)
        }
    }

    /// A label never starts like this if it has the length of a key (`Label`, `KeyVault`).
    private static func looksLikeKey(_ text: String) -> Bool {
        ["EOS", "PUB_", "FIO"].contains(where: text.hasPrefix) && text.utf8.count > 20
    }

    /// The label; nil for a public key.
    package var labelText: String? { if case .label(let label) = self { label } else { nil } }

    package func key(_ keys: LabelledKeys) throws(BuildError) -> PublicKey {
        switch self {
        case .key(let key): return key
        case .label(let label):
            guard let key = keys[label] else { throw .authority(.unknownLabel(label)) }
            return key
        }
    }
}

/// The keys of labels. Labels are compared byte by byte, as in the vault: two spellings of one
/// letter differ.
package struct LabelledKeys: Sendable {
    private var keys: [[UInt8]: PublicKey] = [:]

    package init() {}

    package subscript(label: String) -> PublicKey? {
        get { keys[Array(label.utf8)] }
        set { keys[Array(label.utf8)] = newValue }
    }
}
