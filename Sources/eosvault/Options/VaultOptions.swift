import ArgumentParser
import KeyVault

/// Which vault.
struct VaultOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("The vault's file (default: $XDG_DATA_HOME/eosvault/vault.db).", valueName: "path"))
    var vault: String?

    @Flag(name: .long, help: "Take an older copy of the vault than this machine has seen, and remember that one.")
    var acceptRollback = false

    /// The file's path, named or by default.
    func path() throws -> String {
        if let vault { return vault }
        guard
            let path = try VaultLocation.defaultPath(dataHome: Environment["XDG_DATA_HOME"], home: Environment["HOME"])
        else {
            throw CommandError.noHome
        }
        return path
    }

    /// What errors call it.
    func name() throws -> String { Printable.line(try path()) }

    /// Opens it for a command that writes to it, or that only reads. A file with several names is
    /// refused or warned about before a PIN is asked for.
    func open(_ use: Use = .writing) throws -> Vault {
        let witness = try Self.witness()
        do {
            let vault = try Vault.open(path(), witness: witness, acceptRollback: acceptRollback, clock: .told)
            let count = try vault.linkCount()
            if count > 1 {
                guard use == .reading else { throw VaultError.hardLinked(count: count) }
                Messages.warning(Words.hardLinked(try name(), count: count))
            }
            return vault
        } catch let error as VaultError { throw Placed(place: try name(), error: error) }
    }

    enum Use { case reading, writing }

    /// What this machine remembers of vaults; nil where there is no place for it, which is reported
    /// before a secret is read.
    /// - Throws: for a relative path, and for a folder that others may write.
    static func witness() throws -> Witness? {
        let folder = try Witness.defaultFolder(stateHome: Environment["XDG_STATE_HOME"], home: Environment["HOME"])
        WitnessMemory.exists = folder != nil
        guard let folder else { return nil }
        let witness = Witness(folder: folder, written: WitnessMemory.keep)
        try placed(at: folder) { try witness.verifyFolder() }
        return witness
    }
}
