import ArgumentParser
import KeyVault

/// The vault of a command.
struct VaultOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The vault file (default: $XDG_DATA_HOME/eosvault/vault.db).", valueName: "path"))
    var vault: String?

    @Flag(
        name: .long,
        help: "Accept a vault that is older than the state this machine has recorded, and record its state.")
    var acceptRollback = false

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
            let vault = try Vault.open(path(), witness: witness, acceptRollback: acceptRollback, clock: .withNotes)
            let count = try vault.linkCount()
            if count > 1 {
                guard use == .reading else { throw VaultError.file(.hardLinked(count: count)) }
                Messages.warning(Words.hardLinked(try name(), count: count))
            }
            return vault
        } catch let error as VaultError { throw Placed(place: try name(), error: error) }
    }

    enum Use { case reading, writing }

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
