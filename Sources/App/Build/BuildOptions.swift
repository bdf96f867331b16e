import ABICodec
import ArgumentParser
import Hardening
import Shell
import Transactions

/// The transaction that `build` makes, without its first action.
struct BuildOptions: ParsableArguments {
    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ChainArgument

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

    @Option(
        help: ArgumentHelp("The id of a recent block of the chain, instead of --block.", valueName: "hex"))
    var blockID: String?

    @Flag(help: "Name no block, instead of --block: only for a transaction that msig-propose proposes.")
    var noBlock = false

    @OptionGroup var abis: ABIOptions

    @OptionGroup var output: OutputOption

    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    @OptionGroup var further: FurtherActions

    func validate() throws {
        guard [block != nil, blockID != nil, noBlock].filter(\.self).count == 1 else {
            throw ValidationError(
                "give a recent block with --block FILE (the output of `cleos get info`) or --block-id, or give "
                    + "--no-block"
            )
        }
    }

    /// The vault of --vault stays locked for its pinned ABIs, so they are not verified.
    func pinAccess(for actions: [DescribedAction]) -> FileAccess {
        usesPins(for: actions) || chain.needsVault ? vault.lockedAccess : .none
    }

    private func usesPins(for actions: [DescribedAction]) -> Bool {
        vault.vault != nil && actions.contains(where: \.usesPins)
    }

    private func pins(of chain: ChainID, for actions: [DescribedAction]) throws -> [PinnedContractABI] {
        guard usesPins(for: actions) else { return [] }
        let pins = try vault.openLocked(.reading).pins(of: chain)
        if !pins.isEmpty { Messages.note(Words.unverifiedPins) }
        return pins
    }

    /// The given ABIs, and the ABIs that the vault of --vault pins for the chain.
    func contracts(for actions: [DescribedAction], chain: ChainID) throws -> ContractABIs {
        try abis.contracts(pins: pins(of: chain, for: actions))
    }

    /// The time of --expires.
    func expiration() throws -> TimePointSec {
        try parsing("--expires") { try ExpirationText(expires).time(now: Clock.now) }
    }

    /// The block that the transaction refers to.
    func reference(chain: ChainID) throws -> BlockReference {
        if let blockID { return try parsing("--block-id") { try BlockReference(id: blockID) } }
        guard let file = block else { return .none }
        return try placed(at: file.name) { try BlockReference(answer: file.read(), chain: chain) }
    }
}

/// The actions after `--then`, parsed once.
struct FurtherActions: ParsableArguments {
    /// Separates the actions. Each has its own options.
    static let separator = "--then"

    @Option(
        parsing: .remaining,
        help: ArgumentHelp(
            "A further action of the same transaction, with its arguments and options. Repeat the option for several "
                + "actions. All options of the transaction are before the first --then.", valueName: "action")
    )
    private var then: [String] = []

    private let parsed: Result<[DescribedAction], any Error>

    init() { parsed = .success([]) }

    private enum CodingKeys: CodingKey { case then }

    init(from decoder: any Decoder) throws {
        _then = try decoder.container(keyedBy: CodingKeys.self).decode(Option<[String]>.self, forKey: .then)
        let words = _then.wrappedValue
        let lists =
            words.isEmpty ? [] : words.split(separator: Self.separator, omittingEmptySubsequences: false)
        parsed = Result { try lists.map { try Self.action(Array($0)) } }
    }

    // The parser would replace an error that the initialiser throws.
    func validate() throws { _ = try parsed.get() }

    var actions: [DescribedAction] { (try? parsed.get()) ?? [] }

    /// Refuses a separator without an action after it, which the parser accepts.
    static func expectAction(after arguments: some BidirectionalCollection<String>) throws {
        if arguments.last == separator, !arguments.contains("--") { throw noAction }
    }

    private static let noAction = ValidationError("\(separator) is followed by an action of `eosvault build`")

    private static func action(_ words: [String]) throws -> DescribedAction {
        guard let name = words.first, let type = BuildGroup.actions.first(where: { $0.commandName == name })
        else {
            throw noAction
        }
        do { return try type.parsed(Array(words.dropFirst())) } catch {
            let message = Eosvault.message(for: error)
            throw ValidationError("--then \(name): \(message.prefix(1).lowercased())\(message.dropFirst())")
        }
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
            try parsing("--permission \(Printable.line(text))") {
                try PermissionLevel(activeByDefault: text)
            }
        }
        // nodeos refuses an authorization that occurs twice.
        for (index, level) in levels.enumerated() where levels[..<index].contains(level) {
            throw ValidationError("--permission \(level.text) is given twice")
        }
        return levels
    }
}
