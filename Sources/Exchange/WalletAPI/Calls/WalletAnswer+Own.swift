import JSON
import Keys
import Transactions

/// What `eosvault-agent status` prints.
package struct AgentStatus: Sendable {
    package let version: String
    /// The path of the vault.
    package let vault: String
    /// Nil while the vault is locked.
    package let unlocked: (secondsLeft: Int64, keyCount: Int)?
    /// Who confirms a signature: `terminal`, `policy` or `program`.
    package let confirmation: String
    /// The requests that wait for an answer.
    package let waitingCount: Int

    package init(
        version: String, vault: String, unlocked: (secondsLeft: Int64, keyCount: Int)?, confirmation: String,
        waitingCount: Int
    ) {
        (self.version, self.vault, self.unlocked) = (version, vault, unlocked)
        (self.confirmation, self.waitingCount) = (confirmation, waitingCount)
    }

    fileprivate var json: JSONValue {
        [
            "version": .string(version), "vault": .string(vault), "locked": .boolean(unlocked == nil),
            "seconds_left": .number(unlocked?.secondsLeft), "keys": .number(unlocked?.keyCount),
            "confirm": .string(confirmation), "waiting": .number(waitingCount),
        ]
    }
}

/// A transaction that was signed by the order of a client.
package struct SignedOrder: Sendable {
    package let transaction: SignedTransaction
    package let chain: ChainID
    /// The keys of the order, also those that signed before.
    package let keys: [PublicKey]
    /// True if the vault made all these signatures before.
    package let wasSignedBefore: Bool

    package init(
        transaction: SignedTransaction, chain: ChainID, keys: [PublicKey], wasSignedBefore: Bool
    ) {
        (self.transaction, self.chain, self.keys, self.wasSignedBefore) = (
            transaction, chain, keys, wasSignedBefore
        )
    }
}

extension WalletAnswer {
    /// After `status`.
    package init(_ status: AgentStatus) { self.init(.ok, status.json) }

    /// After the agent's own call `unlock`.
    package init(unlockedFor seconds: Int64, keyCount: Int) {
        self.init(.ok, ["seconds_left": .number(seconds), "keys": .number(keyCount)])
    }

    /// After the agent's own call `sign`.
    package init(_ signed: SignedOrder) {
        self.init(
            .created,
            [
                "transaction_id": .string(signed.transaction.id), "chain_id": .string(signed.chain.text),
                "keys": .array(signed.keys.map { .string($0.text) }),
                "already": .boolean(signed.wasSignedBefore), "packed": signed.transaction.packedJSON,
            ])
    }

    /// After `credential_sign`.
    /// - Parameter request: as `eosvault credential sign --format json` prints it.
    package init(request: JSONValue) { self.init(.created, request) }
}
