import App
import KeyVault
import Keys
import Signing
import SigningRequests
import Transactions
import WalletAPI

/// What reviews read of the locked vault. The vault compares it with its verified rows when it
/// signs, as for `eosvault sign`.
///
/// It is read again after each change of the vault that is no signature.
struct ReviewFacts {
    /// The state of the vault that it was read in.
    let state: Vault.ReviewState
    private let all: [KeyDescription]
    private let keys: [PublicKey: KeyDescription]
    let own: OwnKeys
    let names: ChainNames
    private var chains: [ChainID: ContractABIs] = [:]

    init(of vault: LockedVault, _ state: Vault.ReviewState) throws {
        self.state = state
        all = try vault.keys()
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

    /// A request of keosd's API. It has no ABIs: they are built in or pinned.
    /// - Parameter blind: the actions that may be signed as bytes.
    mutating func request(
        for call: SigningCall, in vault: LockedVault, isShown: Bool, blind: Set<ActionPattern>
    ) throws -> SigningRequest {
        let contracts = try contracts(of: call.chain, in: vault)
        let review = try Review(
            of: call.transaction, chain: call.chain, abis: contracts, blind: blind)
        let chosen = try call.keys.map { key throws(VaultError) in
            guard let description = keys[key] else { throw .input(.noSuchKey) }
            return ChosenKey(description, choice: .publicKey)
        }
        return try vault.request(review, signedBy: chosen, own: own, names, isShown: isShown)
    }

    /// A request of a client command, which has the options and files of `eosvault sign`.
    mutating func request(
        for order: SigningOrder, in vault: LockedVault, isShown: Bool
    ) throws -> SigningRequest {
        let chain = try ChainArgument(argument: order.chain).id(names)
        var contracts = try contracts(of: chain, in: vault)
        for abi in order.abis { try contracts.add(abi.bytes, for: abi.account, overriding: abi.overrides) }
        let proposals = try order.proposals.enumerated().map { index, bytes in
            let proposal = try ProposedTransaction(reading: bytes, name: nil, abis: contracts)
            return GivenProposal(
                try SignedTransaction(packed: proposal.stored), file: "proposal \(index + 1) of the client",
                name: proposal.name)
        }
        if let login = order.login {
            contracts = RequestData.contracts(contracts, forLogin: login == 2 ? .two : .three)
        }
        let blind = try order.blind.map { text in
            guard let pattern = ActionPattern(text) else { throw AgentError.notAnAction(text) }
            return pattern
        }
        let review = try Review(
            of: SignedTransaction(contents: order.transaction, contracts), chain: chain, abis: contracts,
            blind: Set(blind), proposals: proposals)
        if let id = order.expect { try review.expectTransaction(id) }
        return try vault.request(
            review, signedBy: vault.chosenKeys(order.keys, among: all), own: own, names,
            isShown: isShown)
    }
}
