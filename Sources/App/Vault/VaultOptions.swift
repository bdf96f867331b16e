import ArgumentParser
import Hardening
import KeyVault
import Keys
import Shell
import Signing
import Transactions

/// The vault of a command.
struct VaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The vault file (default: $XDG_DATA_HOME/eosvault/vault.db).", valueName: "path"),
        completion: .file())
    var vault: String?

    @Flag(help: "Accept a vault that is older than the state this machine has recorded, and record its state.")
    var acceptRollback = false

    /// A vault that stays locked.
    /// - Parameter path: nil for the default.
    init(locked path: String?) {
        vault = path
        acceptRollback = false
    }

    init() {}

    /// The path of the vault file: the option, or the default.
    func path() throws -> String {
        if let vault { return vault }
        guard
            let path = try VaultLocation.defaultPath(dataHome: Environment["XDG_DATA_HOME"], home: Environment["HOME"])
        else {
            throw CommandError.noHome
        }
        return path
    }

    /// The name of the vault in errors.
    func name() throws -> String { Printable.line(try path()) }

    /// Opens the vault for reading or writing. Before the PIN is read, a file with several hard
    /// links is refused for writing, and causes a warning for reading.
    func open(_ use: Use = .writing) throws -> Vault {
        let witness = try Self.witness()
        do {
            let vault = try Vault.open(
                path(), witness: witness, acceptRollback: acceptRollback, clock: .withNotes(hiding: nil))
            let count = try vault.linkCount()
            if count > 1 {
                guard use == .reading else { throw VaultError.file(.hardLinked(count: count)) }
                Messages.warning(Words.hardLinked(try name(), count: count))
            }
            if use == .writing { try warnIfNearlyFull(vault) }
            return vault
        } catch let error as VaultError { throw Placed(place: try name(), error: error) }
    }

    enum Use { case reading, writing }

    /// Warns before the vault is full: a full vault can't record a signature, so it makes none.
    func warnIfNearlyFull(_ vault: Vault) throws(VaultError) {
        let space = try vault.unverifiedSpace()
        if space.isNearlyFull { Messages.warning(Words.nearlyFull(percent: space.percent)) }
    }

    /// What the vault remembers of the review's payments. The vault verifies it when it signs.
    /// - Parameter keys: the keys that are to sign.
    func unverifiedHistory(of review: Review, signedBy keys: [PublicKey], in vault: Vault) throws -> PaymentHistory? {
        try placed(at: name()) {
            try review.lookedUpSubject(signedBy: keys).map { subject throws(VaultError) in
                try vault.unverifiedHistory(of: subject)
            }
        }
    }

    /// The ABIs that the vault pins for a chain. The vault verifies them when it signs.
    func unverifiedPins(of chain: ChainID, in vault: Vault) throws -> [PinnedContractABI] {
        try placed(at: name()) {
            try vault.unverifiedPinnedABIs(of: chain.bytes).map { abi throws(VaultError) in try PinnedContractABI(abi) }
        }
    }

    /// The keys of the vault. The vault verifies those that a review mentions when it signs.
    func unverifiedKeys(of vault: Vault) throws -> [KeyDescription] {
        try placed(at: name()) {
            try vault.unverifiedStatuses().filter(\.entry.isKey).map { key throws(VaultError) in try KeyDescription(key)
            }
        }
    }

    /// The witness of this machine; nil if there is no folder for it. A missing folder is reported
    /// before a secret is read.
    /// - Throws: for a relative path, and for a folder that other users can write.
    static func witness() throws -> Witness? {
        let folder = try Witness.defaultFolder(stateHome: Environment["XDG_STATE_HOME"], home: Environment["HOME"])
        WitnessMemory.exists = folder != nil
        guard let folder else { return nil }
        let witness = Witness(folder: folder, written: WitnessMemory.keep)
        try placed(at: folder) { try witness.verifyFolder() }
        return witness
    }
}

/// The vault whose pinned ABIs and labels a review shows. It stays locked.
struct ReviewVaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Use this vault's pinned ABIs and labels, not verified (default: none).", valueName: "path"),
        completion: .file())
    var vault: String?

    /// The options of this vault; nil if none was given.
    private var options: VaultOptions? { vault.map { VaultOptions(locked: $0) } }

    func open() throws -> Vault? { try options?.open(.reading) }

    /// The pinned ABIs of a chain; none without a vault or a chain.
    func unverifiedPins(of chain: ChainID?, in vault: Vault?) throws -> [PinnedContractABI] {
        guard let chain, let vault, let options else { return [] }
        return try options.unverifiedPins(of: chain, in: vault)
    }

    func unverifiedKeys(of vault: Vault) throws -> [KeyDescription] {
        try options?.unverifiedKeys(of: vault) ?? []
    }

    /// What the vault remembers of the review's payments; nil without a vault.
    func unverifiedHistory(of review: Review, in vault: Vault?) throws -> PaymentHistory? {
        guard let vault, let options else { return nil }
        return try options.unverifiedHistory(of: review, signedBy: [], in: vault)
    }

    var fileAccess: FileAccess { options?.lockedAccess ?? .none }
}
