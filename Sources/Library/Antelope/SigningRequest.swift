import ABICodec
package import SigningRequests
import Transactions

/// A signing request of a wallet or a web site: a link that starts with `esr:` (EEP-7).
public struct SigningRequest: Sendable, CustomStringConvertible {
    package let link: RequestLink

    /// Reads a link, which must be the whole text.
    /// - Throws: `not-a-request`, `invalid-request`.
    public init(_ link: String) throws(EOSError) {
        self.link = try reporting { () throws(RequestError) in try RequestLink(utf8: Array(link.utf8)) }
    }

    /// Makes the request for a signature of a transaction, which its signer may not change.
    /// - Parameters:
    ///   - transaction: its signatures are not part of the request.
    ///   - chain: the chain for which it is signed.
    ///   - callback: the address to which the result is sent; empty for none.
    ///   - isBroadcast: true if the signer sends the transaction to the chain.
    /// - Throws: `invalid-request`.
    public init(
        for transaction: Transaction, chain: ChainID, callback: String = "", isBroadcast: Bool = true
    ) throws(EOSError) {
        link = try reporting { () throws(RequestError) in
            try RequestLink(
                RequestData(
                    version: .three, chain: RequestedChain(chain.value),
                    content: .transaction(transaction.value.transaction),
                    flags: isBroadcast ? [.broadcast] : [], callback: callback))
        }
    }

    /// True if the signer chooses the block and the expiration.
    public var needsBlock: Bool { link.request.needsReference }
    /// True for a login, which no chain executes.
    public var isIdentity: Bool { link.request.isIdentity }
    /// The address to which the result is sent; empty for none.
    public var callback: String { link.request.callback }

    /// The transaction, with the placeholders replaced by the signer.
    /// - Parameters:
    ///   - signer: the permission that signs.
    ///   - chain: the chain for which it signs; the request must permit it.
    ///   - expiration: seconds since 1970; used if the request leaves it to the signer.
    ///   - block: used if the request leaves it to the signer.
    ///   - abis: decode data, to find placeholders in it.
    /// - Throws: `other-chain`, `missing-reference`, `no-abi`, `other-signer`.
    public func resolved(
        for signer: PermissionLevel, chain: ChainID, expiration: UInt32? = nil, block: BlockReference? = nil,
        abis: ContractABIs = ContractABIs()
    ) throws(EOSError) -> Transaction {
        try reporting { () throws(RequestError) in
            let resolved = try ResolvedRequest(
                link,
                signer: Transactions.PermissionLevel(
                    actor: signer.actor.value, permission: signer.permission.value),
                chain: chain.value, expiration: expiration.map { TimePointSec(seconds: $0) },
                reference: block?.value, abis: abis.value)
            try resolved.expectSigner()
            return Transaction(resolved.transaction)
        }
    }

    /// The link.
    public var description: String { link.text }
}
