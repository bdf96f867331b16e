import ABICodec
import Codecs
import JSON
import Transactions

/// A request with the values of its signer: the transaction that is reviewed and signed.
package struct ResolvedRequest: Sendable {
    package let link: RequestLink
    package let signer: PermissionLevel
    package let chain: ChainID
    package let transaction: SignedTransaction

    /// - Parameters:
    ///   - expiration, reference: Used if the request leaves them to the signer.
    ///   - abis: Decode action data for the placeholders in it.
    /// - Throws: `otherChain`, `missingReference`, `missingExpiration`, `placeholder`,
    ///   `transaction`.
    package init(
        _ link: RequestLink, signer: PermissionLevel, chain: ChainID, expiration: TimePointSec?,
        reference: BlockReference?, abis: ContractABIs
    ) throws(RequestError) {
        let request = link.request
        try request.expectChain(chain)
        let template = request.template
        if request.needsReference, reference == nil { throw .missingReference }
        if request.needsExpiration, expiration == nil { throw .missingExpiration }
        let placeholders = Placeholders(signer: signer)
        let abis = request.contracts(abis)
        let actions = try template.actions.map { action throws(RequestError) in
            try placeholders.resolved(action, abis: abis)
        }
        let resolved = template.replacing(
            expiration: request.needsExpiration ? expiration ?? template.expiration : template.expiration,
            reference: request.needsReference ? reference.map { ($0.number, $0.prefix) } : nil,
            actions: actions)
        self.link = link
        self.signer = signer
        self.chain = chain
        transaction = try converting(RequestError.transaction, SignedTransaction(packed: resolved.packed))
    }
}

extension ResolvedRequest {
    /// Throws unless a login is one as the signer, with the scope of the request: its action must
    /// have exactly these names.
    package func expectSigner() throws(RequestError) {
        guard case .identity(let identity) = link.request.content else { return }
        if let scope = identity.scope, Placeholders.isPlaceholder(scope) { throw .placeholderScope }
        let expected = RequestedIdentity(scope: identity.scope, permission: signer).action
        guard transaction.transaction.actions == [expected] else {
            throw .otherSigner(requested: identity.permission ?? signer)
        }
    }
}

extension RequestData {
    /// Throws if the request has the alias of a chain that was shut down.
    package func expectCurrentChain() throws(RequestError) {
        for case .alias(let alias) in [chain] + (chains ?? []) where alias.isRetired {
            throw .retiredChain(alias)
        }
    }

    /// Throws unless the request is for this chain.
    package func expectChain(_ chain: ChainID) throws(RequestError) {
        let allowed = self.chain == .any ? chains : [self.chain]
        guard let allowed, !allowed.contains(where: { $0.chainID == chain }) else { return }
        throw .otherChain(allowed: allowed)
    }

    /// The ABIs, with the ABI of a login for a request for one.
    package func contracts(_ abis: ContractABIs) -> ContractABIs {
        isIdentity ? Self.contracts(abis, forLogin: version) : abis
    }

    /// The ABIs, with the ABI of a login.
    package static func contracts(_ abis: ContractABIs, forLogin version: RequestVersion) -> ContractABIs {
        guard let abi = identityABI(version) else { return abis }
        var abis = abis
        abis.addBuiltIn(abi, for: RequestedIdentity.account)
        return abis
    }

    /// The type of the action of a login (EEP-7, "Identity Proof Action").
    private static func identityABI(_ version: RequestVersion) -> ABI? {
        let scope = version == .three ? #"{"name":"scope","type":"name"},"# : ""
        let text = """
            {"version":"eosio::abi/1.1","structs":[{"name":"permission_level","base":"","fields":[\
            {"name":"actor","type":"name"},{"name":"permission","type":"name"}]},\
            {"name":"identity","base":"","fields":[\(scope){"name":"permission","type":"permission_level?"}]}],\
            "actions":[{"name":"identity","type":"identity"}]}
            """
        return try? ABI(contents: Array(text.utf8))
    }
}
