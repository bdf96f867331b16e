import ABICodec
import ArgumentParser
import Shell
import Transactions

// Actions that create accounts, and change what their permissions allow.

struct NewAccountArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "newaccount", abstract: "Create an account.",
        discussion: """
            An authority is a public key, the label of a key in the vault, ACCOUNT@PERMISSION, or JSON as cleos reads \
            it, in which a key can also be a label. A label asks for the PIN, to verify the key. A new account needs \
            RAM: buy it in the same transaction.

              eosvault build newaccount alice carol treasury --chain eos --block info.json --then buyrambytes alice \
            carol 4096
            """)

    @Argument(help: "The account that pays.") var creator: String
    @Argument(help: "The new account, at most 12 characters.") var name: String
    @Argument(help: "The authority of the owner permission.", completion: .keys) var owner: String
    @Argument(help: "The authority of the active permission (default: that of owner).", completion: .keys) var active:
        String?
    @OptionGroup var authorization: AuthorizationOptions

    private func authorities() throws -> (owner: AuthorityText, active: AuthorityText) {
        let owner = try placed(at: "owner") { try AuthorityText(self.owner) }
        return (owner, try active.map { active in try placed(at: "active") { try AuthorityText(active) } } ?? owner)
    }

    func labels() throws -> [String] {
        let (owner, active) = try authorities()
        return owner.labels + active.labels
    }

    func action(_ context: BuildContext) throws -> NewAction {
        let (owner, active) = try authorities()
        return try .newAccount(
            creator: parsedName(creator, "creator"), name: parsedName(name, "name"),
            owner: placed(at: "owner") { try owner.authority(context.keys) },
            active: placed(at: "active") { try active.authority(context.keys) })
    }
}

struct UpdateAuthArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "updateauth", abstract: "Set the authority of a permission.",
        discussion: """
            The authority is a public key, the label of a key in the vault, ACCOUNT@PERMISSION, or JSON as cleos reads \
            it, in which a key can also be a label. A label asks for the PIN, to verify the key. The parts are sorted \
            as the chain requires. A change of owner is authorized by owner, unless -p names another permission.

              eosvault build updateauth alice active treasury --authority alice.json --chain eos --block info.json
              eosvault build updateauth alice active '{"threshold":2,"keys":[{"key":"treasury","weight":1},\
            {"key":"cold","weight":1}]}' --chain eos --block info.json
            """)

    @Argument(help: "The account.") var account: String
    @Argument(help: "The permission to set, such as active.") var permission: String
    @Argument(help: "The new authority.", completion: .keys) var newAuthority: String
    @Argument(help: "The parent permission (default: none for owner, owner for active, active for others).") var parent:
        String?

    @Option(
        help: ArgumentHelp(
            "A node's answer to get_account (`cleos get account ACCOUNT -j`): shows the authority that is replaced.",
            valueName: "file"))
    var authority: InputFile?

    @OptionGroup var authorization: AuthorizationOptions

    var files: [InputFile] { [InputFile](given: authority) }

    private func text() throws -> AuthorityText {
        try placed(at: "authority") { try AuthorityText(newAuthority) }
    }

    func labels() throws -> [String] { try text().labels }

    func action(_ context: BuildContext) throws -> NewAction {
        let parent = try parent.map { try parsedName($0, "parent") }
        return try .updateAuthority(
            account: parsedName(account, "account"), permission: parsedName(permission, "permission"), parent: parent,
            authority: placed(at: "authority") { try text().authority(context.keys) })
    }

    func notes(_ context: BuildContext) throws -> [String] {
        let (account, permission) = (try parsedName(account, "account"), try parsedName(permission, "permission"))
        let place = "\(account.text)@\(permission.text)"
        let new = Words.setsAuthority(of: place, try text().authority(context.keys))
        guard let file = authority else { return [Words.replacesUnknown(place), new] }
        let current = try context.read(file) { answer in
            let current = try CurrentAuthority.find(permission, of: account, in: answer)
            let parent = try parent.map { try parsedName($0, "parent") }
            try current?.expectParent(NewAction.parent(of: permission, given: parent))
            return current
        }
        return [current.map { Words.replaces(place, $0.authority) } ?? Words.makesPermission(place), new]
    }
}

struct LinkAuthArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "linkauth", abstract: "Let a permission authorize an action of a contract.",
        discussion: "  eosvault build linkauth alice eosio claimrewards claimer --chain eos --block info.json")

    @Argument(help: "The account that has the permission.") var account: String
    @Argument(help: "The contract.") var code: String
    @Argument(help: "The action; '*' for all actions of the contract.") var type: String
    @Argument(help: "The permission.") var requirement: String
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction {
        try .linkAuthority(
            account: parsedName(account, "account"), code: parsedName(code, "code"),
            type: type == "*" ? nil : parsedName(type, "type"),
            requirement: parsedName(requirement, "requirement"))
    }
}

struct VoteArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "voteproducer", abstract: "Vote for producers, or let a proxy vote.",
        discussion: """
            The producers, at most 30, replace those of the last vote.

              eosvault build voteproducer alice producer1 producer2 --chain eos --block info.json
              eosvault build voteproducer alice --proxy bob --chain eos --block info.json
            """)

    @Argument(help: "The account that votes.") var voter: String
    @Argument(help: "The producers, in any order.") var producers: [String] = []
    @Option(help: ArgumentHelp("The proxy: it votes on behalf of the voter.", valueName: "account"))
    var proxy: String?
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction {
        try .voteProducer(
            voter: parsedName(voter, "voter"), proxy: proxy.map { try parsedName($0, "--proxy") },
            producers: producers.map { try parsedName($0, "producers") })
    }
}

struct ClaimRewardsArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "claimrewards", abstract: "Claim the rewards of a producer.",
        discussion: "  eosvault build claimrewards producer1 --chain eos --block info.json")

    @Argument(help: "The producer.") var owner: String
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction { try .claimRewards(owner: parsedName(owner, "owner")) }
}

/// An action of any contract.
struct OtherActionArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "action", abstract: "Make any action of a contract whose ABI is known.",
        discussion: """
            The data is JSON with the fields of the contract's ABI. If the ABI is not built in, give --abi, or the \
            vault that pins it with --vault. The permissions that authorize the action are required.

              eosvault build action eosio refund '{"owner": "alice"}' -p alice --chain eos --block info.json
            """)

    @Argument(help: "The account of the contract.") var contract: String
    @Argument(help: "The action.") var action: String
    @Argument(help: ArgumentHelp("The data, in JSON.", valueName: "json")) var data: String
    @OptionGroup var authorization: AuthorizationOptions

    var usesPins: Bool { true }

    func action(_ context: BuildContext) throws -> NewAction {
        let levels = try authorization.levels()
        guard !levels.isEmpty else { throw ValidationError("`build action` needs --permission") }
        return try NewAction(
            account: parsedName(contract, "contract"), name: parsedName(action, "action"), authorization: levels,
            json: data)
    }
}
