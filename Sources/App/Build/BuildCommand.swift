import ABICodec
import ArgumentParser
import Files
import Hardening
import JSON
import KeyVault
import Policy
import Shell
import Signing
import Transactions

/// `build ACTION`: makes a transaction whose first action is `Action`.
struct BuildCommand<Action: BuildAction>: ConfinedCommand {
    static var configuration: CommandConfiguration { Action.configuration }

    @OptionGroup var arguments: ActionArguments<Action>
    @OptionGroup var transaction: BuildOptions
    @OptionGroup var sandbox: SandboxOption

    private var actions: [DescribedAction] { [Action.described(by: arguments)] + transaction.further.actions }

    func validate() throws {
        let files = [InputFile](given: transaction.block) + actions.flatMap(\.files)
        try files.refuseSharedInput(with: transaction.abis.files + transaction.method.inputs)
    }

    /// Errors are ignored here: `run` reports them.
    var requiredAccess: FileAccess {
        let files = actions.flatMap(\.files) + transaction.abis.files + [InputFile](given: transaction.block)
        let usesVault = actions.contains(where: \.mayHaveLabels)
        return files.fileAccess + transaction.output.fileAccess
            + (usesVault
                ? transaction.vault.fileAccess(by: transaction.method) : transaction.pinAccess(for: actions))
    }

    func run() throws {
        let file = try transaction.output.prepared()
        let chain = try transaction.chain.value
        let actions = actions
        let contracts = try transaction.contracts(for: actions, chain: chain)
        let expiration = try transaction.expiration()
        let reference = try transaction.reference(chain: chain)
        let contents = try FileContents(of: actions.flatMap(\.files))
        let isOne = actions.count == 1
        func build(_ keys: LabelledKeys) throws -> (transaction: SignedTransaction, notes: [String]) {
            let context = BuildContext(chain: chain, contracts: contracts, contents: contents, keys: keys)
            var builder = TransactionBuilder(chain: chain, abis: contracts)
            var notes: [String] = []
            for (index, action) in actions.enumerated() {
                try Self.doing(action, at: isOne ? nil : index) {
                    try builder.add(action.action(context))
                    notes += try action.notes(context)
                }
            }
            return (try builder.transaction(expiration: expiration, reference: reference), notes)
        }

        var labels: [String] = []
        for (index, action) in actions.enumerated() {
            try Self.doing(action, at: isOne ? nil : index) { labels += try action.labels(contents) }
        }
        var keys = KeysInVault(labels: labels, options: transaction.vault)
        // With the keys in the file first, so that an error is found before the PIN is asked.
        var built = try build(keys.unverified())
        if !labels.isEmpty { built = try build(keys.verified(by: transaction.method)) }
        for note in built.notes { Messages.note(note) }
        warn(of: reference, expiration: expiration)
        try warn(of: Review(of: built.transaction, chain: chain, abis: contracts))
        try transaction.output.write(
            Printable.json(built.transaction.jsonWithChain, .pretty) + "\n", to: file)
    }

    /// Warns if a chain forgets the block before it accepts the transaction.
    private func warn(of reference: BlockReference, expiration: TimePointSec) {
        guard let time = reference.time else { return }
        let accepted = Int64(expiration.seconds) - Review.maximumLifetime
        if accepted > Int64(time.seconds) + BlockReference.lifetime {
            Messages.warning(Words.forgottenBlock(time))
        }
    }

    /// Warns of an authority with which anyone can act, or nobody.
    private func warn(of review: Review) {
        let codes: [WarningCode] = [.openAfterWait, .unreachableThreshold]
        for warning in review.warnings(now: 0) where codes.contains(warning.code) {
            Messages.warning(warning.line())
        }
    }

    private static func doing(_ action: DescribedAction, at index: Int?, _ step: () throws -> Void) throws {
        do { try step() } catch let error as ValidationError { throw error } catch {
            throw Placed(place: index.map { "action \($0 + 1), \(action.name)" } ?? action.name, error: error)
        }
    }
}

/// Keys of the vault that the user gives by their labels.
private struct KeysInVault {
    let labels: [String]
    let options: VaultOptions
    private(set) var vault: LockedVault?

    /// The keys as they are in the file.
    mutating func unverified() throws -> LabelledKeys {
        guard !labels.isEmpty else { return LabelledKeys() }
        let vault = try options.openLocked(.reading)
        self.vault = vault
        return try vault.snapshot {
            try keys { label in
                guard let key = try vault.key(label) else {
                    throw CommandError.unknownKey(label, vault: vault.name)
                }
                return key
            }
        }
    }

    /// The keys of the unlocked vault.
    func verified(by method: UnlockMethodOptions) throws -> LabelledKeys {
        guard let vault else { return LabelledKeys() }
        let unlocked = try method.unlock(vault.vault)
        return try keys { label in
            try placed(at: vault.name) { try KeyDescription(unlocked.status(of: label)) }
        }
    }

    private func keys(_ find: (String) throws -> KeyDescription) throws -> LabelledKeys {
        var keys = LabelledKeys()
        for label in labels { keys[label] = try find(label).publicKey }
        return keys
    }
}
