import ABICodec
import Codecs
import JSON

extension NewAction {
    /// nodeos refuses a longer name of a new account (AntelopeIO/spring,
    /// libraries/chain/eosio_contract.cpp, `apply_eosio_newaccount`).
    private static let maximumNameLength = 12

    package static func newAccount(
        creator: Name, name: Name, owner: Authority, active: Authority
    ) throws(BuildError) -> NewAction {
        guard !name.text.isEmpty else { throw .account(.empty) }
        guard name.text.utf8.count <= maximumNameLength else { throw .account(.nameTooLong) }
        return try NewAction(
            "eosio", "newaccount", by: PermissionLevel(activeOf: creator),
            [
                "creator": creator.json, "name": name.json, "owner": owner.json, "active": active.json,
            ])
    }

    /// Sets a permission. Only owner can change owner, so the default authorization is owner then.
    /// - Parameter parent: nil for none of owner, owner of active, and active of another
    ///   permission, as in cleos.
    package static func updateAuthority(
        account: Name, permission: Name, parent: Name?, authority: Authority
    ) throws(BuildError) -> NewAction {
        let (text, parent) = (permission.text, try self.parent(of: permission, given: parent))
        guard !text.isEmpty else { throw .account(.empty) }
        guard !text.hasPrefix("eosio.") else { throw .account(.reservedPermission(permission)) }
        let active = try PermissionLevel(activeOf: account)
        let level =
            text == PermissionLevel.owner ? PermissionLevel(actor: account, permission: permission) : active
        return try NewAction(
            "eosio", "updateauth", by: level,
            [
                "account": account.json, "permission": permission.json, "parent": parent.json, "auth": authority.json,
            ])
    }

    /// The parent of a permission that `updateAuthority` sets (AntelopeIO/spring,
    /// libraries/chain/eosio_contract.cpp, `apply_eosio_updateauth`).
    package static func parent(of permission: Name, given: Name?) throws(BuildError) -> Name {
        let fixed: String? =
            switch permission.text {
            case PermissionLevel.owner: ""
            case PermissionLevel.active: PermissionLevel.owner
            default: nil
            }
        let standard = try converting(BuildError.value, Name(fixed ?? PermissionLevel.active))
        let parent = given ?? standard
        let isAllowed = fixed == nil ? parent != permission && !parent.text.isEmpty : parent == standard
        guard isAllowed else { throw .account(.wrongParent(parent, of: permission)) }
        return parent
    }

    /// - Parameter type: the action; nil for all actions of the contract.
    package static func linkAuthority(
        account: Name, code: Name, type: Name?, requirement: Name
    ) throws(BuildError) -> NewAction {
        guard !code.text.isEmpty, type?.text.isEmpty != true, !requirement.text.isEmpty else { throw .account(.empty) }
        return try NewAction(
            "eosio", "linkauth", by: PermissionLevel(activeOf: account),
            [
                "account": account.json, "code": code.json, "type": .string(type?.text ?? ""),
                "requirement": requirement.json,
            ])
    }

    // MARK: - producers

    /// The limit of the system contract (VaultaFoundation/system-contracts, voting.cpp).
    private static let maximumProducers = 30

    /// Votes for producers, who are sorted, or names a proxy.
    package static func voteProducer(voter: Name, proxy: Name?, producers: [Name]) throws(BuildError) -> NewAction {
        guard proxy == nil || producers.isEmpty else { throw .vote(.producersAndProxy) }
        guard proxy != nil || !producers.isEmpty else { throw .vote(.nobody) }
        guard proxy?.text.isEmpty != true else { throw .account(.empty) }
        guard producers.count <= maximumProducers else { throw .vote(.tooManyProducers(limit: maximumProducers)) }
        let sorted = producers.sorted { $0.rawValue < $1.rawValue }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one == next { throw .vote(.duplicateProducer(one)) }
        return try NewAction(
            "eosio", "voteproducer", by: PermissionLevel(activeOf: voter),
            [
                "voter": voter.json, "proxy": .string(proxy?.text ?? ""), "producers": .array(sorted.map(\.json)),
            ])
    }

    package static func claimRewards(owner: Name) throws(BuildError) -> NewAction {
        try NewAction(
            "eosio", "claimrewards", by: PermissionLevel(activeOf: owner), ["owner": owner.json])
    }
}
