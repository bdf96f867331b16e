import Codecs
import KeyVault
import Keys
import OtherWallets
import Shell
import Transactions

/// Why a command did not change an entry, a pinned ABI or a policy. The command finds the reason
/// while it holds the vault's lock.
enum ChangeError: Error, Equatable {
    case vault(VaultError)
    /// The private key has no text form.
    case key(KeyTextError)
    /// R1 keys have no WIF.
    case noWIF
    case wallet(WalletError)
    /// The entry differs from the one that the user confirmed.
    case changedMeanwhile(EntryKind)
    /// The pinned ABI differs from the one that the user compared.
    case pinChangedMeanwhile
    /// The policy differs from the one that the user compared.
    case policyChangedMeanwhile
    /// The names that the vault gives to chains differ from those that the command used.
    case chainNamesChangedMeanwhile
}

extension VaultTransaction {
    /// Compares the verified names of chains with those that the command used.
    func expectNames(_ names: ChainNames) throws(ChangeError) {
        guard try ChainNames(converting(ChangeError.vault, namedChains())) == names else {
            throw .chainNamesChangedMeanwhile
        }
    }
}

extension ChangeError: VaultFailure {
    init(vault error: VaultError) { self = .vault(error) }
}

extension ChangeError: WordedError {
    var words: Words {
        switch self {
        case .vault(let error): error.words
        case .key(let error): error.words(kind: .privateKey)
        case .noWIF:
            Words(.unsupportedKey, "an R1 key has no WIF form", hint: "export it with --to pvt")
        case .wallet(let error): error.words
        case .changedMeanwhile(let kind):
            Words(
                .changedMeanwhile,
                "another process changed the \(kind.noun) before you confirmed; nothing was done",
                hint: "check it with `eosvault show`, then try again")
        case .pinChangedMeanwhile:
            Words(
                .changedMeanwhile,
                "another process changed the pinned ABI before you confirmed; nothing was done",
                hint: "check it with `eosvault abi show --verify`, then try again")
        case .policyChangedMeanwhile:
            Words(
                .changedMeanwhile,
                "another process changed the policy before you confirmed; nothing was done",
                hint: "check it with `eosvault policy show --verify`, then try again")
        case .chainNamesChangedMeanwhile:
            Words(
                .changedMeanwhile,
                "another process changed the names of chains before you confirmed; nothing was done",
                hint: "check them with `eosvault chains --verify`, then try again")
        }
    }
}
