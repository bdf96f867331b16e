import ABICodec
import ArgumentParser
import Hardening
import Shell
import Transactions

/// The transaction that `build` makes, without its first action.
struct BuildOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ParsedArgument<ChainID>

    @Option(
        name: [.customShort("x"), .long],
        help: ArgumentHelp(
            "When the transaction expires: a duration from this machine's time (3600, 90m, 1h, 7d), or a time in UTC "
                + "(2026-12-01T00:00:00).",
            valueName: "time"))
    var expires = "1h"

    @Option(
        help: ArgumentHelp(
            "A node's answer to get_info, whose last irreversible block is used, or to get_block; "
                + "`-` for standard input.", valueName: "file"))
    var block: InputFile?

    @Option(help: ArgumentHelp("The id of a recent block of the chain, instead of --block.", valueName: "hex"))
    var blockID: String?

    @Flag(help: "Name no block, instead of --block: only for a transaction that msig-propose proposes.")
    var noBlock = false

    @OptionGroup var abis: ABIOptions

    @OptionGroup var output: OutputOption

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    @Option(
        parsing: .remaining,
        help: ArgumentHelp(
            "A further action of the same transaction, with its arguments and options. Repeat the option for several "
                + "actions. All options of the transaction are before the first --then.", valueName: "action"))
    var then: [String] = []

    /// Separates the actions. Each has its own options.
    static let separator = "--then"

    /// Refuses a separator without an action after it, which the parser accepts.
    static func expectAction(after arguments: some BidirectionalCollection<String>) throws {
        if arguments.last == separator, !arguments.contains("--") { throw noAction }
    }

    private static let noAction = ValidationError("\(separator) is followed by an action of `eosvault build`")

    /// The vault of --vault stays locked for its pinned ABIs, so they are not verified.
    func pinAccess(for actions: [any ActionArguments]) -> FileAccess {
        usesPins(for: actions) ? vault.lockedAccess : .none
    }

    private func usesPins(for actions: [any ActionArguments]) -> Bool {
        vault.vault != nil && actions.contains(where: \.usesPins)
    }

    private func pins(of chain: ChainID, for actions: [any ActionArguments]) throws -> [PinnedContractABI] {
        guard usesPins(for: actions) else { return [] }
        let pins = try vault.openLocked(.reading).pins(of: chain)
        if !pins.isEmpty { Messages.note(Words.unverifiedPins) }
        return pins
    }

    /// The given ABIs, and those that the vault of --vault pins for the chain.
    func contracts(for actions: [any ActionArguments], chain: ChainID) throws -> ContractABIs {
        try abis.contracts(pins: pins(of: chain, for: actions))
    }

    /// The time of --expires.
    func expiration() throws -> TimePointSec {
        try placed(at: "--expires") { try ExpirationText(expires).time(now: Clock.now) }
    }

    /// The block that the transaction names.
    func reference(chain: ChainID) throws -> BlockReference {
        guard [block != nil, blockID != nil, noBlock].filter(\.self).count == 1 else {
            throw ValidationError("give one of --block, --block-id and --no-block")
        }
        if let blockID { return try placed(at: "--block-id") { try BlockReference(id: blockID) } }
        guard let file = block else { return .none }
        return try placed(at: file.name) { try BlockReference(answer: file.read(), chain: chain) }
    }

    // MARK: - --then

    /// The actions of --then.
    func furtherActions() throws -> [any ActionArguments] {
        guard !then.isEmpty else { return [] }
        return try then.split(separator: Self.separator, omittingEmptySubsequences: false).map { words in
            try Self.action(Array(words))
        }
    }

    private static func action(_ words: [String]) throws -> any ActionArguments {
        guard let name = words.first,
            let type = BuildGroup.actions.first(where: { $0.commandName == name })
        else {
            throw noAction
        }
        let arguments = Array(words.dropFirst())
        do {
            let action = try type.parse(arguments)
            try RepeatedOptions.refuse(in: arguments, of: type)
            return action
        } catch {
            let message = type.message(for: error)
            throw ValidationError("--then \(name): \(message.prefix(1).lowercased())\(message.dropFirst())")
        }
    }
}

/// The contract of a token that is not known for the chain.
struct TokenOptions: ParsableArguments {
    @Option(
        name: .customLong("token-contract"),
        help: ArgumentHelp(
            "The account of the token's contract. It is required if the token is not known for the chain.",
            valueName: "account"))
    var contract: String?

    /// - Parameter place: the argument, for an error.
    func amount(_ text: String, _ place: String, chain: ChainID) throws -> TokenAmount {
        let contract = try contract.map { try parsedName($0, "--token-contract") }
        return try placed(at: place) { try TokenAmount(text, chain: chain, contract: contract) }
    }
}

/// The permissions that authorize an action.
struct AuthorizationOptions: ParsableArguments {
    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A permission that authorizes the action (default: the active permission of the account that acts). "
                + "Repeat the option for several permissions.",
            valueName: "account@permission"))
    var permission: [String] = []

    func levels() throws -> [PermissionLevel] {
        let levels = try permission.map { text in
            try placed(at: "--permission \(Printable.line(text))") { try PermissionLevel(activeByDefault: text) }
        }
        // nodeos refuses an authorization that occurs twice.
        for (index, level) in levels.enumerated() where levels[..<index].contains(level) {
            throw ValidationError("--permission \(level.text) is given twice")
        }
        return levels
    }
}
