import ABICodec
import ArgumentParser
import Shell
import Transactions

// The actions of `build`. The built-in ABIs define the names and the types of their fields.

// MARK: - tokens and resources

enum Transfer: BuildAction {
    static let form: ActionForm? = .transfer
    static let configuration = CommandConfiguration(
        commandName: "transfer", abstract: "Transfer tokens.",
        discussion: """
            The amount has all decimals of the token. The contract of the chain's own tokens is known; another token \
            needs --token-contract, and --abi if the contract's ABI is not built in.

              eosvault build transfer alice bob '1.0000 EOS' 'invoice 7' --chain eos --block info.json
              eosvault build transfer alice bob '5.00 GOLD' --token-contract mytoken --abi mytoken=gold.abi.json \
            --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("from", "The account that pays."),
        FieldArgument("to", "The account that is paid."),
        FieldArgument("quantity", "The amount, such as '1.0000 EOS'."),
        FieldArgument("memo", "A text for the recipient, at most 256 bytes.", .optional),
    ]

    static func usesPins(_ texts: FieldTexts) -> Bool { !texts[FieldArgument.tokenContract.name].isEmpty }
}

enum BuyRAM: BuildAction {
    static let form: ActionForm? = .buyRAM
    static let configuration = CommandConfiguration(
        commandName: "buyram", abstract: "Buy RAM for an amount of the system token.",
        discussion: "  eosvault build buyram alice bob '2.0000 EOS' --chain eos --block info.json")
    static let fields = [
        FieldArgument("payer", "The account that pays."),
        FieldArgument("receiver", "The account that gets the RAM."),
        FieldArgument("quant", "The price, such as '2.0000 EOS'."),
    ]
}

enum BuyRAMBytes: BuildAction {
    static let form: ActionForm? = .buyRAMBytes
    static let configuration = CommandConfiguration(
        commandName: "buyrambytes", abstract: "Buy a number of bytes of RAM.",
        discussion: "  eosvault build buyrambytes alice bob 4096 --chain eos --block info.json")
    static let fields = [
        FieldArgument("payer", "The account that pays."),
        FieldArgument("receiver", "The account that gets the RAM."),
        FieldArgument("bytes", "The number of bytes."),
    ]
}

enum DelegateBandwidth: BuildAction {
    static let form: ActionForm? = .delegateBandwidth
    static let configuration = CommandConfiguration(
        commandName: "delegatebw", abstract: "Stake tokens for the NET and CPU of an account.",
        discussion:
            "  eosvault build delegatebw alice bob '0.5000 EOS' '1.5000 EOS' --chain eos --block info.json")
    static let fields = [
        FieldArgument("from", "The account whose tokens are staked."),
        FieldArgument("receiver", "The account that gets NET and CPU."),
        FieldArgument("stake_net_quantity", "The stake for NET."),
        FieldArgument("stake_cpu_quantity", "The stake for CPU."),
        FieldArgument("transfer", "Give the staked tokens to the receiver permanently."),
    ]
}

enum UndelegateBandwidth: BuildAction {
    static let form: ActionForm? = .undelegateBandwidth
    static let configuration = CommandConfiguration(
        commandName: "undelegatebw", abstract: "Take back staked tokens.",
        discussion:
            "  eosvault build undelegatebw alice bob '0.0000 EOS' '1.5000 EOS' --chain eos --block info.json")
    static let fields = [
        FieldArgument("from", "The account whose tokens are staked."),
        FieldArgument("receiver", "The account that has NET and CPU."),
        FieldArgument("unstake_net_quantity", "The amount to take back from NET."),
        FieldArgument("unstake_cpu_quantity", "The amount to take back from CPU."),
    ]
}

enum PowerUp: BuildAction {
    static let form: ActionForm? = .powerUp
    static let configuration = CommandConfiguration(
        commandName: "powerup", abstract: "Rent NET and CPU.",
        discussion: """
            A share is in units of 10^-15 of the chain's NET or CPU: 10000000000000 is 1 %. The number of days must be \
            the chain's, usually 1.

              eosvault build powerup alice bob 1 100000000 10000000000 '0.1000 EOS' --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("payer", "The account that pays."),
        FieldArgument("receiver", "The account that gets NET and CPU."),
        FieldArgument("days", "The number of days."),
        FieldArgument("net_frac", "The share of NET, in units of 10^-15."),
        FieldArgument("cpu_frac", "The share of CPU, in units of 10^-15."),
        FieldArgument("max_payment", "The most to pay, such as '0.1000 EOS'."),
    ]
}

// MARK: - accounts and producers

enum NewAccount: BuildAction {
    static let form: ActionForm? = .newAccount
    static let configuration = CommandConfiguration(
        commandName: "newaccount", abstract: "Create an account.",
        discussion: """
            An authority is a public key, the label of a key in the vault, ACCOUNT@PERMISSION, or JSON as cleos reads \
            it, in which a key can also be a label. With a label, the command asks for the PIN, to verify the key. A \
            new account needs RAM: buy it in the same transaction.

              eosvault build newaccount alice carol treasury --chain eos --block info.json --then buyrambytes alice \
            carol 4096
            """)
    static let fields = [
        FieldArgument("creator", "The account that pays."),
        FieldArgument("name", "The new account, at most 12 characters."),
        FieldArgument("owner", "The authority of the owner permission."),
        FieldArgument(
            "active", "The authority of the active permission (default: the authority of owner).", .optional),
    ]
}

enum UpdateAuthority: BuildAction {
    static let form: ActionForm? = .updateAuthority
    static let configuration = CommandConfiguration(
        commandName: "updateauth", abstract: "Set the authority of a permission.",
        discussion: """
            The authority is a public key, the label of a key in the vault, ACCOUNT@PERMISSION, or JSON as cleos reads \
            it, in which a key can also be a label. With a label, the command asks for the PIN, to verify the key. The \
            parts are sorted as the chain requires. A change of owner is authorized by owner, unless -p names another \
            permission.

              eosvault build updateauth alice active treasury --authority alice.json --chain eos --block info.json
              eosvault build updateauth alice active '{"threshold":2,"keys":[{"key":"treasury","weight":1},\
            {"key":"cold","weight":1}]}' --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("account", "The account."),
        FieldArgument("permission", "The permission to set, such as active."),
        FieldArgument("auth", as: "authority", "The new authority.", value: "new-authority"),
        FieldArgument(
            "parent", "The parent permission (default: none for owner, owner for active, active for others).",
            .optional),
        FieldArgument(
            "authority",
            "A node's answer to get_account (`cleos get account ACCOUNT -j`): shows the authority that is replaced.",
            value: "file", .option, type: "file"),
    ]

    static func notes(_ texts: FieldTexts, _ context: BuildContext) throws -> [String] {
        let (account, permission) = (try texts.name("account"), try texts.name("permission"))
        let place = "\(account.text)@\(permission.text)"
        let new = try AuthorityText(texts["auth"].first ?? "").authority(context.keys)
        let sets = Words.setsAuthority(of: place, new)
        guard let file = texts.file("authority") else { return [Words.replacesUnknown(place), sets] }
        let parent = try texts.optionalName("parent")
        let current = try context.read(file) { answer in
            let current = try CurrentAuthority.find(permission, of: account, in: answer)
            try current?.expectParent(ActionForm.parent(of: permission, given: parent))
            return current
        }
        return [current.map { Words.replaces(place, $0.authority) } ?? Words.makesPermission(place), sets]
    }
}

enum LinkAuthority: BuildAction {
    static let form: ActionForm? = .linkAuthority
    static let configuration = CommandConfiguration(
        commandName: "linkauth", abstract: "Let a permission authorize an action of a contract.",
        discussion: "  eosvault build linkauth alice eosio claimrewards claimer --chain eos --block info.json"
    )
    static let fields = [
        FieldArgument("account", "The account that has the permission."),
        FieldArgument("code", "The contract."),
        FieldArgument("type", "The action; '*' for all actions of the contract.", absent: "*"),
        FieldArgument("requirement", "The permission."),
    ]
}

enum VoteProducer: BuildAction {
    static let form: ActionForm? = .voteProducer
    static let configuration = CommandConfiguration(
        commandName: "voteproducer", abstract: "Vote for producers, or let a proxy vote.",
        discussion: """
            The producers, at most 30, replace the producers of the last vote.

              eosvault build voteproducer alice producer1 producer2 --chain eos --block info.json
              eosvault build voteproducer alice --proxy bob --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("voter", "The account that votes."),
        FieldArgument("producers", "The producers, in any order.", .optional),
        FieldArgument("proxy", "The proxy, which votes on behalf of the voter.", value: "account", .option),
    ]
}

enum ClaimRewards: BuildAction {
    static let form: ActionForm? = .claimRewards
    static let configuration = CommandConfiguration(
        commandName: "claimrewards", abstract: "Claim the rewards of a producer.",
        discussion: "  eosvault build claimrewards producer1 --chain eos --block info.json")
    static let fields = [FieldArgument("owner", "The producer.")]
}

// MARK: - proposals

enum Propose: BuildAction {
    static let form: ActionForm? = .propose
    static let configuration = CommandConfiguration(
        commandName: "msig-propose", abstract: "Propose a transaction that several accounts approve.",
        discussion: """
            Make the proposed transaction with `eosvault build … --no-block --expires 7d`. It has no signatures.

              eosvault build msig-propose alice payday payment.json bob@active carol@active --chain eos --block \
            info.json
            """)
    static let fields = [
        FieldArgument("proposer", "The account that proposes."),
        FieldArgument("proposal_name", as: "proposal", "The name of the proposal."),
        FieldArgument(
            "trx", as: "transaction", "The proposed transaction, in any form that `sign` reads.",
            value: "file"),
        FieldArgument("requested", "A permission that must approve.", value: "account@permission"),
    ]

    static func usesPins(_ texts: FieldTexts) -> Bool { true }
}

enum Approve: BuildAction {
    static let form: ActionForm? = .approve
    static let configuration = CommandConfiguration(
        commandName: "msig-approve", abstract: "Approve a proposed transaction by its hash.",
        discussion: """
            The chain refuses the approval if the proposal has another hash. Give the proposal's row of the table, the \
            propose action, or the proposed transaction with --proposal, or its hash with --hash.

              eosvault build msig-approve alice payday bob@active --proposal row.json --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("proposer", "The account that proposed."),
        FieldArgument("proposal_name", as: "proposal", "The name of the proposal."),
        FieldArgument("level", "The permission that approves.", value: "account@permission"),
        FieldArgument("proposal", "The proposal, to compute its hash.", value: "file", .option, type: "file"),
        FieldArgument("hash", "The SHA-256 of the proposed transaction.", value: "hex", .option),
    ]

    static func complete(_ values: inout ActionValues, _ texts: FieldTexts, _ context: BuildContext) throws {
        let proposal = try texts.name("proposal_name", "proposal")
        switch (texts.file("proposal"), texts["hash"].first) {
        case (let file?, nil):
            values["proposal_hash"] = .hash(
                try context.read(file) { text in
                    try ProposedTransaction(reading: text, name: proposal, abis: context.contracts).hash
                })
        case (nil, let hash?):
            values["proposal_hash"] = .hash(try placed(at: "--hash") { try ProposedTransaction.hash(hash) })
        case (_?, _?), (nil, nil): throw ValidationError("give --proposal or --hash")
        }
    }
}

enum Execute: BuildAction {
    static let form: ActionForm? = .execute
    static let configuration = CommandConfiguration(
        commandName: "msig-exec", abstract: "Execute a proposed transaction that has its approvals.",
        discussion: "  eosvault build msig-exec alice payday carol --chain eos --block info.json")
    static let fields = [
        FieldArgument("proposer", "The account that proposed."),
        FieldArgument("proposal_name", as: "proposal", "The name of the proposal."),
        FieldArgument("executer", "The account that pays for the execution."),
    ]
}

// MARK: - other contracts

/// An action of any contract.
enum OtherAction: BuildAction {
    static let form: ActionForm? = nil
    static let configuration = CommandConfiguration(
        commandName: "action", abstract: "Make any action of a contract whose ABI is known.",
        discussion: """
            The data is JSON with the fields of the contract's ABI. If the ABI is not built in, give --abi, or the \
            vault that pins it with --vault. The permissions that authorize the action are required.

              eosvault build action eosio refund '{"owner": "alice"}' -p alice --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("contract", "The account of the contract.", type: "name"),
        FieldArgument("action", "The action.", type: "name"),
        FieldArgument("data", "The data, in JSON.", value: "json"),
    ]

    static func usesPins(_ texts: FieldTexts) -> Bool { true }

    static func action(_ texts: FieldTexts, authorizedBy levels: [PermissionLevel]) throws -> NewAction {
        guard !levels.isEmpty else { throw ValidationError("`build action` needs --permission") }
        return try NewAction(
            account: texts.name("contract"), name: texts.name("action"), authorization: levels,
            json: texts["data"].first ?? "")
    }
}
