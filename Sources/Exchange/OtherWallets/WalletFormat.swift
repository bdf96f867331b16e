/// A file or a text of another program that contains private keys.
package enum WalletFormat: CaseIterable, Sendable {
    /// A wallet file of keosd.
    case keosd
    /// A vault of eosc, `eosc-vault.json`.
    case eosc
    /// A backup of Anchor.
    case anchor
    /// `SEC_K1_…` or `SEC_R1_…`: one key, encrypted by a password (EEP-8).
    case secK1
    /// `anchorcert:…` or its 28 words: the owner key certificate of Anchor.
    case anchorCertificate
    /// The two lines of `cleos create key`. They are not encrypted.
    case cleosCreateKey
    /// A backup of Scatter.
    case scatter

    /// The name of the format in options and in JSON. It never changes.
    package var code: String {
        switch self {
        case .keosd: "keosd"
        case .eosc: "eosc"
        case .anchor: "anchor"
        case .secK1: "sec"
        case .anchorCertificate: "anchor-certificate"
        case .cleosCreateKey: "cleos-create-key"
        case .scatter: "scatter"
        }
    }

    package init?(code: String) {
        guard let format = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = format
    }

    /// In messages, after an article.
    package var name: String {
        switch self {
        case .keosd: "wallet file of keosd"
        case .eosc: "vault of eosc"
        case .anchor: "backup of Anchor"
        case .secK1: "text `SEC_…`"
        case .anchorCertificate: "key certificate of Anchor"
        case .cleosCreateKey: "file of `cleos create key`"
        case .scatter: "backup of Scatter"
        }
    }

    /// True if the keys are encrypted. The password of a key certificate is its six words.
    package var needsPassword: Bool { self != .cleosCreateKey }
}
