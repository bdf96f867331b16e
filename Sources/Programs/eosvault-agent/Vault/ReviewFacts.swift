import App
import KeyVault
import Keys
import Signing
import Transactions
import WalletAPI

/// What reviews read of the locked vault. The vault compares it with its verified rows when it
/// signs, as for `eosvault sign`.
///
/// It is read again when another process changed the file, and after the agent's own changes.
struct ReviewFacts {
    let keys: [PublicKey: KeyDescription]
    let own: OwnKeys
    let names: ChainNames
    private var chains: [ChainID: ContractABIs] = [:]

    init(of vault: LockedVault) throws {
        let all = try vault.keys()
        keys = Dictionary(all.map { ($0.publicKey, $0) }) { first, _ in first }
        own = OwnKeys(all)
        names = try vault.chainNames()
    }

    /// The ABIs for a chain: built in, and pinned in the vault.
    mutating func contracts(of chain: ChainID, in vault: LockedVault) throws -> ContractABIs {
        if let known = chains[chain] { return known }
        let contracts = ContractABIs(pins: try vault.pins(of: chain))
        chains[chain] = contracts
        return contracts
    }

    /// The review of a request of keosd's API. It has no ABIs: they are built in or pinned.
    mutating func request(for call: SigningCall, in vault: LockedVault) throws -> SigningRequest {
        let contracts = try contracts(of: call.chain, in: vault)
        var review = try Review(of: call.transaction, chain: call.chain, abis: contracts)
        review.chainName = names.givenName(of: call.chain)
        review.history = try vault.history(of: review, signedBy: call.keys)
        let chosen = try call.keys.map { key throws(VaultError) in
            guard let description = keys[key] else { throw .input(.noSuchKey) }
            return ChosenKey(description, choice: .publicKey)
        }
        return try SigningRequest(review, keys: chosen, own: review.comparesKeys ? own : nil)
    }
}
