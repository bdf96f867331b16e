import ABICodec
import Keys
import Policy
import Transactions

extension Review {
    /// The request that a policy decides on; nil for a review without a chain.
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
            hasGivenABI: hasGivenABI, inner: hidesTransaction ? .unknownProposal : inner)
    }

    private var inner: RequestedAction.Inner {
        if let nested {
            return .transaction((nested.contextFreeActions + nested.actions).map(\.policyRequest))
        }
        // Other contracts with this action may have other names of fields.
        let isApproval =
            action.name == .approve
            && (action.account == .multisig
                || value?.fields?.contains { $0.value.isPermissionLevel } ?? false)
        return isApproval ? .unknownProposal : .none
    }

    /// True if an ABI decoded the data of eosio.msig, of eosio.wrap, or of another contract's
    /// proposal without the transaction inside.
    private var hidesTransaction: Bool {
        guard nested == nil else { return false }
        if action.account == .wrap { return action.name == .exec }
        return action.name == .propose
            && (action.account == .multisig || value?.fields?.contains(where: \.isListOfLevels) ?? false)
    }
}

extension TypedField {
    /// True if the field lists permission levels. The name decides about an empty list.
    fileprivate var isListOfLevels: Bool {
        value.list.map { $0.isEmpty ? name == "requested" : $0.allSatisfy(\.isPermissionLevel) } ?? false
    }
}
