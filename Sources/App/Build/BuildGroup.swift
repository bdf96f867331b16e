import ArgumentParser
import Shell

struct BuildGroup: ParsableCommand {
    /// The configuration needs the type of each action, which takes longer than most commands.
    static let _commandName = "build"

    static let configuration = CommandConfiguration(
        commandName: _commandName, abstract: "Make a transaction to sign, without a node.",
        discussion: """
            The output is the JSON that `sign` takes. It names a recent block of the chain: get one with `cleos get \
            info` on a machine with a network. Further actions of the same transaction follow --then. \
            With --vault, ABIs that the vault pins for the chain are used for other contracts.

              eosvault build transfer alice bob '1.0000 EOS' 'invoice 7' --chain eos --block info.json -o payment.json
              eosvault build transfer alice bob '1.0000 EOS' --chain eos --block info.json --then buyrambytes alice \
            bob 4096
            """,
        subcommands: actions.map { $0.command })

    /// The actions: each is a subcommand, and can follow --then.
    static let actions: [any BuildAction.Type] = [
        Transfer.self, NewAccount.self, BuyRAM.self, BuyRAMBytes.self, DelegateBandwidth.self,
        UndelegateBandwidth.self, PowerUp.self, VoteProducer.self, RegisterProxy.self, UnregisterProxy.self,
        UpdateAuthority.self, LinkAuthority.self, RegisterProducer.self, UnregisterProducer.self,
        ClaimRewards.self, Propose.self, Approve.self, Unapprove.self, Execute.self, Cancel.self,
        OtherAction.self,
    ]
}
