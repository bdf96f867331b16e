import ABICodec
import Curves
import Policy
import Transactions

extension Review {
    /// What a policy judges; nil for a review without a chain.
    package var policyRequest: PolicyRequest? {
        guard let chain, let digest else { return nil }
        // A signature that chains refuse is not one of a cosigner.
        let keys = signers.compactMap { signer in
            if case .key(let key) = signer { key } else { nil }
        }
        return PolicyRequest(
            chain: chain, transaction: digest.bytes, expiration: transaction.transaction.expiration,
            actions: (contextFreeActions + actions).map(\.policyRequest), signers: keys, isIdentity: isLogin)
    }
}

extension ReviewedAction {
    fileprivate var policyRequest: RequestedAction {
        var hasGivenABI = false
        if case .decoded(.given) = content { hasGivenABI = true }
        return RequestedAction(
            action: action, value: hidesTransaction ? nil : value, isContextFree: place.isContextFree,
            hasGivenABI: hasGivenABI, inner: inner)
    }

    private var inner: RequestedAction.Inner {
        if let nested { return .transaction((nested.contextFreeActions + nested.actions).map(\.policyRequest)) }
        let isApproval =
            action.account == .multisig && action.name == .approve
            || value.map { ProposalApproval.find(in: action, $0) != nil } ?? false
        return isApproval ? .unknownProposal : .none
    }

    /// Whether an ABI decoded the data of eosio.msig or eosio.wrap without the transaction inside.
    private var hidesTransaction: Bool {
        nested == nil
            && (action.account == .multisig && action.name == .propose
                || action.account == .wrap && action.name == .exec)
    }
}
