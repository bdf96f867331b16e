import Keys
import Messages

/// The public facts of a wallet file: what it contains, and what of it can't be imported.
package struct WalletSummary: Equatable, Sendable {
    /// A private key of the file.
    package struct Key: Equatable, Sendable {
        package let publicKey: PublicKey
        /// The name that the file gives the key, such as `alice@active`.
        package internal(set) var label: String?
    }

    /// An entry without a usable private key. The caller imports the other keys only if the user
    /// agrees.
    package struct Refused: Equatable, Sendable {
        package enum Reason: Equatable, Sendable {
            /// eosc writes `PVT_R1_PLACE_HOLDER` for every R1 key, so it is lost.
            case lostR1Key
        }

        /// The number of the entry in the file, counted from 1.
        package let position: Int
        package let publicKey: PublicKey?
        package let label: String?
        package let reason: Reason
    }

    /// A key of a device. The file has only its public key.
    package struct WatchOnly: Equatable, Sendable {
        package let publicKey: PublicKey
        /// The path of the key in the device (BIP 32).
        package let path: String?
    }

    /// The keys in the order of the file, each once.
    package internal(set) var keys: [Key] = []
    package internal(set) var refused: [Refused] = []
    package internal(set) var watchOnly: [WatchOnly] = []
    /// The number of entries that repeat a key.
    package internal(set) var repeated = 0
    /// The number of entries of other chains, whose keys have another form.
    package internal(set) var foreignCount = 0
}

extension WalletSummary.Refused.Reason {
    /// For users, after the number of the key.
    package var words: Words {
        switch self {
        case .lostR1Key:
            Words(
                .importFile, "eosc did not store this R1 key: it wrote PVT_R1_PLACE_HOLDER instead",
                hint: "if no other copy of the key exists, change the account to a new key")
        }
    }
}
