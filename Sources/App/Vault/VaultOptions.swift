import ArgumentParser
import Hardening
import KeyVault
import Shell

/// The vault of a command.
package struct VaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("The vault file (default: $XDG_DATA_HOME/eosvault/vault.db).", valueName: "path"),
        completion: .file())
    package var vault: String?

    @Flag(
        help: "Accept a vault that is older than the state this machine has recorded, and record its state.")
    var acceptRollback = false

    /// A vault that stays locked.
    /// - Parameter path: nil for the default.
    init(locked path: String?) {
        vault = path
        acceptRollback = false
    }

    package init() {}

    /// The path of the vault file: the option, or the default.
    package func path() throws -> String {
        if let vault { return vault }
        guard
            let path = try VaultLocation.defaultPath(
                dataHome: Environment["XDG_DATA_HOME"], home: Environment["HOME"])
        else {
            throw CommandError.noHome
        }
        return path
    }

    /// The name of the vault in errors.
    package func name() throws -> String { Printable.line(try path()) }

    /// Opens the vault for reading or writing. Before the PIN is read, a file with several hard
    /// links is refused for writing, and causes a warning for reading.
    package func open(_ use: Use = .writing) throws -> Vault {
        let witness = try Self.witness(of: path())
        do {
            let vault = try Vault.open(
                path(), witness: witness, acceptRollback: acceptRollback, clock: .withNotes(hiding: nil))
            let count = try vault.linkCount()
            if count > 1 {
                guard use == .reading else { throw VaultError.file(.hardLinked(count: count)) }
                Messages.warning(Words.hardLinked(try name(), count: count))
            }
            if use == .writing { Self.warnIfNearlyFull(vault) }
            return vault
        } catch let error as VaultError { throw Placed(place: try name(), error: error) }
    }

    /// The names of the entries, not verified; none if there is no vault.
    func knownNames() throws -> Set<EntryName> {
        let entries: [EntryDescription]
        do { entries = try open(.reading).unverifiedEntries() } catch {
            guard Words(for: error).code == .noVault else { throw error }
            return []
        }
        return Set(entries.map(\.name))
    }

    /// Opens the vault for a review.
    package func openLocked(_ use: Use = .writing) throws -> LockedVault {
        LockedVault(vault: try open(use), name: try name())
    }

    package enum Use { case reading, writing }

    /// Warns before the vault is full: a full vault can't record a signature, so it makes none.
    static func warnIfNearlyFull(_ vault: Vault) {
        if vault.space.isNearlyFull { Messages.warning(Words.nearlyFull(percent: vault.space.percent)) }
    }

    /// The witness of this machine; nil if there is no folder for it. A missing folder is reported
    /// before a secret is read.
    /// - Parameter vault: the path of the vault that is opened or made, for a note.
    /// - Throws: for a relative path, and for a folder that other users can write.
    static func witness(of vault: String? = nil) throws -> Witness? {
        let folder = try Witness.defaultFolder(
            stateHome: Environment["XDG_STATE_HOME"], home: Environment["HOME"])
        WitnessMemory.exists = folder != nil
        guard let folder else { return nil }
        let witness = Witness(folder: folder, written: WitnessMemory.keep)
        try placed(at: folder) { try witness.verifyFolder() }
        if let vault { unsafe WitnessMemory.lostFolder = witness.isLost(before: vault) ? folder : nil }
        return witness
    }
}

/// The vault whose pinned ABIs and labels a review shows. It stays locked.
struct ReviewVaultOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "Use this vault's pinned ABIs and labels, not verified (default: none).", valueName: "path"),
        completion: .file())
    var vault: String?

    private var options: VaultOptions? { vault.map { VaultOptions(locked: $0) } }

    /// Opens the vault; nil if none was given.
    func open() throws -> LockedVault? { try options?.openLocked(.reading) }

    var fileAccess: FileAccess { options?.lockedAccess ?? .none }
}
