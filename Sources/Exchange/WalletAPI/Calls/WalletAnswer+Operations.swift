import JSON
import Keys
import Messages
import Transactions

extension WalletAnswer {
    /// After `create_key`.
    package init(created key: PublicKey) { self.init(.created, .string(key.text)) }

    /// After `import_key`.
    package static let imported = WalletAnswer(.created, [:])

    /// After `sign_transaction`. cleos takes the whole answer in place of its transaction, so it is
    /// made only with all signatures.
    package init(signed transaction: SignedTransaction) { self.init(.created, transaction.json) }

    /// After `sign_digest`.
    package init(signature: Signature) { self.init(.created, .string(signature.text)) }
}

extension WalletError {
    /// After `unlock`.
    package static let wrongPassword = WalletError(
        .wrongPassword, "Invalid password for wallet: \"\(WalletName.only.text)\"")
    /// For the agent's own call `unlock`.
    package static let vaultIsUnlocked = WalletError(
        Words(
            .changedMeanwhile, "the vault is already unlocked",
            hint: "use it, or lock it first with `eosvault-agent lock`"))
    /// After `import_key`.
    package static let keyExists = WalletError(.keyExists, "Key already in wallet")
}
