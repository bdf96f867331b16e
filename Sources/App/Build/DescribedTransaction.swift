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

/// The transaction that the arguments of `build` describe.
struct DescribedTransaction {
    private let actions: [DescribedAction]
    private let options: BuildOptions

    init(first: DescribedAction, options: BuildOptions) {
        (actions, self.options) = ([first] + options.further.actions, options)
    }

    /// - Parameter further: other files that are read.
    func validate(with further: [InputFile] = []) throws {
        let files = [InputFile](given: options.block) + further + actions.flatMap(\.files)
        try files.refuseSharedInput(with: options.abis.files + options.method.inputs)
    }

    /// Errors are ignored here: `run` reports them.
    var requiredAccess: FileAccess {
        let files = actions.flatMap(\.files) + options.abis.files + [InputFile](given: options.block)
        let usesVault = actions.contains(where: \.mayHaveLabels)
        return files.fileAccess + options.output.fileAccess
            + (usesVault ? options.vault.fileAccess(by: options.method) : options.pinAccess(for: actions))
    }

    func run() throws {
        let file = try options.output.prepared()
        let header = try header()
        let contents = try FileContents(of: actions.flatMap(\.files))
        let isOne = actions.count == 1
        func build(_ keys: LabelledKeys) throws -> (transaction: SignedTransaction, notes: [String]) {
            let context = BuildContext(
                chain: header.chain, contracts: header.contracts, contents: contents, keys: keys)
            var (new, notes) = (header.builder, [String]())
            for (index, action) in actions.enumerated() {
                try Self.doing(action, at: isOne ? nil : index) {
                    try new.add(action.action(context))
                    notes += try action.notes(context)
                }
            }
            return (try header.transaction(new), notes)
        }

        var labels: [String] = []
        for (index, action) in actions.enumerated() {
            try Self.doing(action, at: isOne ? nil : index) { labels += try action.labels(contents) }
        }
        var keys = KeysInVault(labels: labels, options: options.vault)
        // With the keys in the file first, so that an error is found before the PIN is asked.
        var built = try build(keys.unverified())
        if !labels.isEmpty { built = try build(keys.verified(by: options.method)) }
        for note in built.notes { Messages.note(note) }
        header.warn()
        try warn(of: Review(of: built.transaction, chain: header.chain, abis: header.contracts))
        try options.output.write(built.transaction.jsonWithChain, to: file)
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

extension DescribedTransaction {
    /// The chain, the ABIs, the block and the time of a new transaction.
    struct Header {
        let chain: ChainID
        let contracts: ContractABIs
        let expiration: TimePointSec
        let reference: BlockReference

        var builder: TransactionBuilder { TransactionBuilder(chain: chain, abis: contracts) }

        func transaction(_ builder: TransactionBuilder) throws -> SignedTransaction {
            try builder.transaction(expiration: expiration, reference: reference)
        }

        /// Warns if a chain forgets the block before it accepts the transaction.
        func warn() {
            guard let time = reference.time else { return }
            let accepted = Int64(expiration.seconds) - Review.maximumLifetime
            if accepted > Int64(time.seconds) + BlockReference.lifetime {
                Messages.warning(Words.forgottenBlock(time))
            }
        }
    }

    func header() throws -> Header {
        let chain = try options.chain.id(namedBy: options.vault)
        return Header(
            chain: chain, contracts: try options.contracts(for: actions, chain: chain),
            expiration: try options.expiration(), reference: try options.reference(chain: chain))
    }
}

extension OutputOption {
    /// Writes a transaction.
    func write(_ json: JSONValue, to file: NewFile?) throws {
        try write(Printable.json(json, .pretty) + "\n", to: file)
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
                    throw CommandError.unknownKey(
                        label, vault: vault.name,
                        hint: "see `eosvault list`; for an account, add its permission, as in bob@active")
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
