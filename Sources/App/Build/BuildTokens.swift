import ArgumentParser
import Shell
import Transactions

// Actions that move tokens, or pay for resources with them.

struct TransferArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "transfer", abstract: "Transfer tokens.",
        discussion: """
            The amount has all decimals of the token. The contract of the chain's own tokens is known; another token \
            needs --token-contract, and --abi if the contract's ABI is not built in.

              eosvault build transfer alice bob '1.0000 EOS' 'invoice 7' --chain eos --block info.json
              eosvault build transfer alice bob '5.00 GOLD' --token-contract mytoken --abi mytoken=gold.abi.json \
            --chain eos --block info.json
            """)

    @Argument(help: "The account that pays.") var from: String
    @Argument(help: "The account that is paid.") var to: String
    @Argument(help: "The amount, such as '1.0000 EOS'.") var quantity: String
    @Argument(help: "A text for the recipient, at most 256 bytes.") var memo = ""
    @OptionGroup var token: TokenOptions
    @OptionGroup var authorization: AuthorizationOptions

    var usesPins: Bool { token.contract != nil }

    func action(_ context: BuildContext) throws -> NewAction {
        try .transfer(
            from: parsedName(from, "from"), to: parsedName(to, "to"),
            amount: token.amount(quantity, "quantity", chain: context.chain),
            memo: memo)
    }
}

struct BuyRAMArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "buyram", abstract: "Buy RAM for an amount of the system token.",
        discussion: "  eosvault build buyram alice bob '2.0000 EOS' --chain eos --block info.json")

    @Argument(help: "The account that pays.") var payer: String
    @Argument(help: "The account that gets the RAM.") var receiver: String
    @Argument(help: "The price, such as '2.0000 EOS'.") var quant: String
    @OptionGroup var token: TokenOptions
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction {
        try .buyRAM(
            payer: parsedName(payer, "payer"), receiver: parsedName(receiver, "receiver"),
            amount: token.amount(quant, "quant", chain: context.chain))
    }
}

struct BuyRAMBytesArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "buyrambytes", abstract: "Buy a number of bytes of RAM.",
        discussion: "  eosvault build buyrambytes alice bob 4096 --chain eos --block info.json")

    @Argument(help: "The account that pays.") var payer: String
    @Argument(help: "The account that gets the RAM.") var receiver: String
    @Argument(help: "The number of bytes.") var bytes: UInt32
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction {
        try .buyRAMBytes(payer: parsedName(payer, "payer"), receiver: parsedName(receiver, "receiver"), bytes: bytes)
    }
}

struct DelegateArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "delegatebw", abstract: "Stake tokens for the NET and CPU of an account.",
        discussion: "  eosvault build delegatebw alice bob '0.5000 EOS' '1.5000 EOS' --chain eos --block info.json")

    @Argument(help: "The account whose tokens are staked.") var from: String
    @Argument(help: "The account that gets NET and CPU.") var receiver: String
    @Argument(help: "The stake for NET.") var stakeNetQuantity: String
    @Argument(help: "The stake for CPU.") var stakeCpuQuantity: String
    @Flag(help: "Give the staked tokens to the receiver for ever.") var transfer = false
    @OptionGroup var token: TokenOptions
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction {
        try .delegateBandwidth(
            from: parsedName(from, "from"), receiver: parsedName(receiver, "receiver"),
            net: token.amount(stakeNetQuantity, "stake_net_quantity", chain: context.chain),
            cpu: token.amount(stakeCpuQuantity, "stake_cpu_quantity", chain: context.chain), transfers: transfer)
    }
}

struct UndelegateArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "undelegatebw", abstract: "Take back staked tokens.",
        discussion: "  eosvault build undelegatebw alice bob '0.0000 EOS' '1.5000 EOS' --chain eos --block info.json")

    @Argument(help: "The account whose tokens are staked.") var from: String
    @Argument(help: "The account that has NET and CPU.") var receiver: String
    @Argument(help: "The amount to take back from NET.") var unstakeNetQuantity: String
    @Argument(help: "The amount to take back from CPU.") var unstakeCpuQuantity: String
    @OptionGroup var token: TokenOptions
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction {
        try .undelegateBandwidth(
            from: parsedName(from, "from"), receiver: parsedName(receiver, "receiver"),
            net: token.amount(unstakeNetQuantity, "unstake_net_quantity", chain: context.chain),
            cpu: token.amount(unstakeCpuQuantity, "unstake_cpu_quantity", chain: context.chain))
    }
}

struct PowerUpArguments: ActionArguments {
    static let configuration = CommandConfiguration(
        commandName: "powerup", abstract: "Rent NET and CPU.",
        discussion: """
            A share is in units of 10^-15 of the chain's NET or CPU: 10000000000000 is 1 %. The number of days must be \
            the chain's, usually 1.

              eosvault build powerup alice bob 1 100000000 10000000000 '0.1000 EOS' --chain eos --block info.json
            """)

    @Argument(help: "The account that pays.") var payer: String
    @Argument(help: "The account that gets NET and CPU.") var receiver: String
    @Argument(help: "The number of days.") var days: UInt32
    @Argument(help: "The share of NET, in units of 10^-15.") var netFrac: Int64
    @Argument(help: "The share of CPU, in units of 10^-15.") var cpuFrac: Int64
    @Argument(help: "The most to pay, such as '0.1000 EOS'.") var maxPayment: String
    @OptionGroup var token: TokenOptions
    @OptionGroup var authorization: AuthorizationOptions

    func action(_ context: BuildContext) throws -> NewAction {
        try .powerUp(
            payer: parsedName(payer, "payer"), receiver: parsedName(receiver, "receiver"), days: days,
            netFraction: netFrac,
            cpuFraction: cpuFrac, maximumPayment: token.amount(maxPayment, "max_payment", chain: context.chain))
    }
}
