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
              eosvault build transfer alice --csv payroll.csv --chain eos --block info.json -o payroll.json
              eosvault build transfer alice --csv payroll.csv --per-transaction 50 --chain eos --block info.json \
            -o payroll.txt

            Each line of a CSV file is a payment: account, amount and memo, separated by commas, with quotes as in RFC \
            4180. The memo can be empty. The first line can be the header `account,amount,memo`. A field that starts \
            with = + - or @ is refused, because spreadsheets read it as a formula. The same payment twice is refused. \
            One transaction makes at most 100 payments. With --per-transaction, the output is a line for each \
            transaction: review and sign the lines with `eosvault sign --lines`. Each has an id with the lines of the \
            CSV file. A file has at most 100,000 payments and 16 MiB.
            """)
    static let fields = [
        FieldArgument("from", "The account that pays."),
        FieldArgument("to", "The account that is paid.", .optional),
        FieldArgument("quantity", "The amount, such as '1.0000 EOS'.", .optional),
        FieldArgument("memo", "A text for the recipient, at most 256 bytes.", .optional),
    ]

    static var command: any ParsableCommand.Type { BuildTransfer.self }

    static func expectComplete(_ texts: FieldTexts) throws {
        for field in ["to", "quantity"] where texts[field].isEmpty {
            throw ValidationError("missing expected argument '<\(field)>'")
        }
    }

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
            A share is a percentage of the chain's NET or CPU, such as 0.001%, or a number of units of 10^-15: \
            10000000000000 is 1%. The number of days must be the chain's, usually 1.

              eosvault build powerup alice bob 1 0.00001% 0.001% '0.1000 EOS' --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("payer", "The account that pays."),
        FieldArgument("receiver", "The account that gets NET and CPU."),
        FieldArgument("days", "The number of days."),
        FieldArgument("net_frac", "The share of NET, such as 0.00001%.", type: "share"),
        FieldArgument("cpu_frac", "The share of CPU, such as 0.001%.", type: "share"),
        FieldArgument("max_payment", "The most to pay, such as '0.1000 EOS'."),
    ]
}

// MARK: - accounts and producers

enum NewAccount: BuildAction {
    static let form: ActionForm? = .newAccount
    static let configuration = CommandConfiguration(
        commandName: "newaccount", abstract: "Create an account.",
        discussion: """
            \(UpdateAuthority.forms) A new account needs RAM: buy it in the same transaction.

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
            \(forms) The parts are sorted as the chain requires. A change of owner is authorized by owner, unless -p \
            names another permission.

              eosvault build updateauth alice active treasury --authority alice.json --chain eos --block info.json
              eosvault build updateauth alice active new-active.json --chain eos --block info.json
              eosvault build updateauth alice active '{"threshold":2,"keys":[{"key":"treasury","weight":1},\
            {"key":"cold","weight":1}]}' --chain eos --block info.json
            """)

    /// The forms of an authority, for the help.
    fileprivate static let forms = """
        An authority is a public key, the label of a key in the vault, ACCOUNT@PERMISSION, JSON as cleos reads it, or \
        a file with this JSON whose name ends with .json. In the JSON, a key can also be a label, and a permission can \
        be ACCOUNT@PERMISSION. With a label, the command asks for the PIN, to verify the key.
        """

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
        let new = try context.contents.authority(texts["auth"].first ?? "").authority(context.keys)
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

enum RegisterProducer: BuildAction {
    static let form: ActionForm? = .registerProducer
    static let configuration = CommandConfiguration(
        commandName: "regproducer", abstract: "Register a producer, or change its key.",
        discussion: """
            The key signs blocks. It is a public key, or the label of a key in the vault: then the command asks for \
            the PIN, to verify the key.

              eosvault build regproducer producer1 EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV \
            https://producer1.example 276 --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("producer", "The account of the producer."),
        FieldArgument("producer_key", as: "key", "The key that signs blocks."),
        FieldArgument("url", "The address of a web page, less than 512 bytes (default: none).", .optional),
        FieldArgument("location", "A number for the location, such as the ISO 3166 code.", .optional),
    ]
}

enum UnregisterProducer: BuildAction {
    static let form: ActionForm? = .unregisterProducer
    static let configuration = CommandConfiguration(
        commandName: "unregprod", abstract: "Unregister a producer.",
        discussion: "  eosvault build unregprod producer1 --chain eos --block info.json")
    static let fields = [FieldArgument("producer", "The account of the producer.")]
}

enum RegisterProxy: BuildAction {
    static let form: ActionForm? = .registerProxy
    static let configuration = CommandConfiguration(
        commandName: "regproxy", abstract: "Register a proxy, which votes on behalf of others.",
        discussion: "  eosvault build regproxy alice --chain eos --block info.json")
    static let fields = [FieldArgument("proxy", "The account of the proxy.")]
}

enum UnregisterProxy: BuildAction {
    static let form: ActionForm? = .unregisterProxy
    static let configuration = CommandConfiguration(
        commandName: "unregproxy", abstract: "Unregister a proxy.",
        discussion: "  eosvault build unregproxy alice --chain eos --block info.json")
    static let fields = [FieldArgument("proxy", "The account of the proxy.")]
}

// MARK: - other contracts

/// An action of any contract.
enum OtherAction: BuildAction {
    static let form: ActionForm? = nil
    static let configuration = CommandConfiguration(
        commandName: "action", abstract: "Make any action of a contract whose ABI is known.",
        discussion: """
            The data is JSON with the fields of the contract's ABI, or the name of a .json file that has it. If the \
            ABI is not built in, give --abi, or --vault with the vault that pins it. --permission is required.

              eosvault build action eosio refund '{"owner": "alice"}' -p alice --chain eos --block info.json
            """)
    static let fields = [
        FieldArgument("contract", "The account of the contract.", type: "name"),
        FieldArgument("action", "The action.", type: "name"),
        FieldArgument("data", "The data: JSON, or a .json file.", value: "json", type: "json"),
    ]

    static func usesPins(_ texts: FieldTexts) -> Bool { true }

    static func action(
        _ texts: FieldTexts, authorizedBy levels: [PermissionLevel], _ contents: FileContents
    ) throws -> NewAction {
        guard !levels.isEmpty else { throw ValidationError("`build action` needs --permission") }
        return try NewAction(
            account: texts.name("contract"), name: texts.name("action"), authorization: levels,
            json: try contents.argument(texts["data"].first ?? ""))
    }
}
