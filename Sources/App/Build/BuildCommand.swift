import ArgumentParser
import Hardening
import Shell

/// `build ACTION`: makes a transaction whose first action is `Action`.
struct BuildCommand<Action: BuildAction>: ConfinedCommand {
    static var configuration: CommandConfiguration { Action.configuration }

    @OptionGroup var arguments: ActionArguments<Action>
    @OptionGroup var transaction: BuildOptions
    @OptionGroup var sandbox: SandboxOption

    private var described: DescribedTransaction {
        DescribedTransaction(first: Action.described(by: arguments), options: transaction)
    }

    func validate() throws { try described.validate() }

    var requiredAccess: FileAccess { described.requiredAccess }

    func run() throws { try described.run() }
}
