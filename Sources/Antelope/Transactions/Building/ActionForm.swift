import ABICodec
import Codecs
import JSON

/// An action of a system contract that a user describes by values. The built-in ABI has the fields.
/// The rules state what the ABI does not: which values the contract refuses, and which follow from
/// others.
package struct ActionForm: Sendable {
    private let account: Name
    private let action: Name
    private let rules: @Sendable (inout ActionValues) throws(BuildError) -> Void

    init(
        _ account: Name, _ action: StaticString,
        rules: @escaping @Sendable (inout ActionValues) throws(BuildError) -> Void = { _ in }
    ) {
        (self.account, self.rules) = (account, rules)
        // An action that no ABI has leads to the error of the encoder.
        self.action = (try? Name(action.description)) ?? Name(rawValue: 0)
    }

    /// The fields of the action in the built-in ABI.
    package var fields: [ABIDefinition.Field] {
        BuiltInABI.newest(for: account)?.definition?.fields(of: action) ?? []
    }

    /// The action with its default authorization.
    /// - Throws: an error for values that the contract would refuse.
    package func action(_ values: ActionValues) throws(BuildError) -> NewAction {
        var values = values
        try rules(&values)
        var level = values.level
        if level == nil { level = try PermissionLevel(activeOf: values.name(fields.first?.name ?? "")) }
        let members = fields.compactMap { field in values[field.name].map { JSONMember(field.name, $0.json) }
        }
        return NewAction(
            account: values.account ?? account, name: action, authorization: level.map { [$0] } ?? [],
            json: Array(JSONValue.object(members).text().utf8))
    }
}

// MARK: - tokens and resources

extension ActionForm {
    /// The limit of eosio.token (AntelopeIO/reference-contracts, contracts/eosio.token).
    private static let maximumMemoSize = 256

    package static let transfer = ActionForm(.token, "transfer") { values throws(BuildError) in
        guard try values.name("from") != values.name("to") else { throw .account(.transferToSelf) }
        guard try values.text("memo").utf8.count <= maximumMemoSize else {
            throw .account(.memoTooLong(limit: maximumMemoSize))
        }
        let amount = try values.amount("quantity")
        try amount.expectPositive()
        values.account = amount.contract
    }

    package static let buyRAM = ActionForm(.eosio, "buyram") { values throws(BuildError) in
        try pay("quant", &values)
    }

    package static let buyRAMBytes = ActionForm(.eosio, "buyrambytes") { values throws(BuildError) in
        guard try values.number("bytes") > 0 else { throw .amount(.zero) }
    }

    package static let delegateBandwidth = ActionForm(.eosio, "delegatebw") { values throws(BuildError) in
        if case .flag(true)? = values["transfer"], try values.name("from") == values.name("receiver") {
            throw .account(.stakeToSelf)
        }
        try stake("stake_net_quantity", "stake_cpu_quantity", &values)
    }

    package static let undelegateBandwidth = ActionForm(.eosio, "undelegatebw") { values throws(BuildError) in
        try stake("unstake_net_quantity", "unstake_cpu_quantity", &values)
    }

    package static let powerUp = ActionForm(.eosio, "powerup") { values throws(BuildError) in
        let fractions = try [values.number("net_frac"), values.number("cpu_frac")]
        for fraction in fractions { _ = try ResourceShare(units: fraction) }
        guard try values.number("days") > 0, fractions != [0, 0] else { throw .amount(.zero) }
        try pay("max_payment", &values)
    }

    private static func pay(_ field: String, _ values: inout ActionValues) throws(BuildError) {
        let amount = try values.amount(field)
        try amount.expectPositive()
        values.account = amount.systemContract
    }

    /// One of the two amounts may be zero (VaultaFoundation/system-contracts,
    /// delegate_bandwidth.cpp).
    private static func stake(_ net: String, _ cpu: String, _ values: inout ActionValues) throws(BuildError) {
        let (net, cpu) = try (values.amount(net), values.amount(cpu))
        guard net.asset.symbol == cpu.asset.symbol, net.contract == cpu.contract else {
            throw .amount(.differentTokens)
        }
        guard net.asset.amount >= 0, cpu.asset.amount >= 0 else { throw .amount(.negative) }
        guard net.asset.amount > 0 || cpu.asset.amount > 0 else { throw .amount(.notPositive) }
        values.account = net.systemContract
    }
}

// MARK: - accounts and producers

extension ActionForm {
    /// The limit of the system contract (VaultaFoundation/system-contracts, `newaccount`).
    private static let maximumNameLength = 12

    /// Without the field `active`, active has the authority of owner.
    package static let newAccount = ActionForm(.eosio, "newaccount") { values throws(BuildError) in
        guard try values.nonEmptyName("name").text.utf8.count <= maximumNameLength else {
            throw .account(.nameTooLong)
        }
        values["active"] = values["active"] ?? values["owner"]
    }

    /// Only owner can change owner, so the default authorization is owner then. Without the field
    /// `parent`, ``parent(of:given:)`` gives the parent.
    package static let updateAuthority = ActionForm(.eosio, "updateauth") { values throws(BuildError) in
        let permission = try values.name("permission")
        let parent = try values["parent"].map { _ throws(BuildError) in try values.name("parent") }
        values["parent"] = .name(try Self.parent(of: permission, given: parent))
        _ = try values.nonEmptyName("permission")
        guard !permission.text.hasPrefix("eosio.") else { throw .account(.reservedPermission(permission)) }
        if permission == .owner {
            values.level = PermissionLevel(actor: try values.name("account"), permission: permission)
        }
    }

    /// The parent of a permission that `updateauth` sets: as in cleos, none of owner, owner of
    /// active, and active of another permission, unless one is given (AntelopeIO/spring,
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

    /// Without the field `type`, the permission is for all actions of the contract.
    package static let linkAuthority = ActionForm(.eosio, "linkauth") { values throws(BuildError) in
        for field in ["code", "requirement"] { _ = try values.nonEmptyName(field) }
        if values["type"] == nil { values["type"] = .text("") } else { _ = try values.nonEmptyName("type") }
    }

    /// The limit of the system contract (VaultaFoundation/system-contracts, voting.cpp).
    private static let maximumProducers = 30

    /// Votes for producers, who are sorted, or sets a proxy.
    package static let voteProducer = ActionForm(.eosio, "voteproducer") { values throws(BuildError) in
        let names = try values.list("producers").map { value throws(BuildError) in
            guard case .name(let name) = value else { throw .account(.empty) }
            return name
        }
        guard values["proxy"] == nil || names.isEmpty else { throw .vote(.producersAndProxy) }
        guard values["proxy"] != nil || !names.isEmpty else { throw .vote(.nobody) }
        if values["proxy"] == nil {
            values["proxy"] = .text("")
        } else {
            _ = try values.nonEmptyName("proxy")
        }
        guard names.count <= maximumProducers else { throw .vote(.tooManyProducers(limit: maximumProducers)) }
        let sorted = names.sorted { $0.rawValue < $1.rawValue }
        for (one, next) in zip(sorted, sorted.dropFirst()) where one == next {
            throw .vote(.duplicateProducer(one))
        }
        values["producers"] = .list(sorted.map { .name($0) })
    }

    package static let claimRewards = ActionForm(.eosio, "claimrewards")

    /// The URL is shorter (VaultaFoundation/system-contracts, voting.cpp, `regproducer`).
    private static let urlLimit = 512

    package static let registerProducer = ActionForm(.eosio, "regproducer") { values throws(BuildError) in
        guard try values.text("url").utf8.count < urlLimit else {
            throw .account(.urlTooLong(limit: urlLimit - 1))
        }
    }

    package static let unregisterProducer = ActionForm(.eosio, "unregprod")

    package static let registerProxy = ActionForm(.eosio, "regproxy") { $0["isproxy"] = .flag(true) }
    package static let unregisterProxy = ActionForm(.eosio, "regproxy") { $0["isproxy"] = .flag(false) }
}

// MARK: - proposals

extension ActionForm {
    /// Proposes a transaction. eosio.msig stores its bytes, without signatures.
    package static let propose = ActionForm(.multisig, "propose") { values throws(BuildError) in
        try expectProposal(values)
        let levels = try values.list("requested").map { value throws(BuildError) in
            guard case .level(let level) = value else { throw .account(.notAPermission) }
            return level
        }.sorted()
        guard !levels.isEmpty else { throw .proposal(.nobodyRequested) }
        for (one, next) in zip(levels, levels.dropFirst()) where one == next {
            throw .proposal(.requestedTwice(one))
        }
        guard case .transaction(let transaction)? = values["trx"] else { throw .proposal(.notPropose) }
        guard transaction.signatures.isEmpty else { throw .proposal(.signed) }
        guard transaction.transaction.contextFreeActions.isEmpty, transaction.contextFreeData.isEmpty else {
            throw .proposal(.contextFree)
        }
        // The ABI has another form of an extension than the JSON of a transaction.
        guard transaction.transaction.extensions.isEmpty else { throw .proposal(.extensions) }
    }

    /// Approves a proposal whose stored bytes have a hash (``ProposedTransaction/hash``). The
    /// permission that approves authorizes the action.
    package static let approve = ActionForm(.multisig, "approve") { values throws(BuildError) in
        try expectProposal(values)
        guard case .hash(let hash)? = values["proposal_hash"], hash.contains(where: { $0 != 0 }) else {
            throw .proposal(.zeroHash)
        }
        values.level = try values.level("level")
    }

    package static let execute = ActionForm(.multisig, "exec") { values throws(BuildError) in
        try expectProposal(values)
        values.level = try PermissionLevel(activeOf: values.name("executer"))
    }

    package static let unapprove = ActionForm(.multisig, "unapprove") { values throws(BuildError) in
        try expectProposal(values)
        values.level = try values.level("level")
    }

    /// Without the field `canceler`, the proposer cancels.
    package static let cancel = ActionForm(.multisig, "cancel") { values throws(BuildError) in
        try expectProposal(values)
        values["canceler"] = values["canceler"] ?? values["proposer"]
        values.level = try PermissionLevel(activeOf: values.name("canceler"))
    }

    private static func expectProposal(_ values: ActionValues) throws(BuildError) {
        guard try values.name("proposal_name").rawValue != 0 else { throw .proposal(.emptyName) }
    }
}
