import ArgumentParser
import Hardening
import KeyVault
import Shell

/// A vault, and the unlock method that opens it.
struct UnlockOptions: ParsableArguments {
    @OptionGroup var vault: VaultOptions
    @OptionGroup var method: UnlockMethodOptions

    /// Access to the unlocked vault, and to the witness that records its state.
    var fileAccess: FileAccess { vault.fileAccess(by: method) }
}

/// A command that unlocks a vault.
protocol UnlockingCommand: ConfinedCommand {
    var unlocking: UnlockOptions { get }
}

extension UnlockingCommand {
    var vault: VaultOptions { unlocking.vault }
    var method: UnlockMethodOptions { unlocking.method }
    var requiredAccess: FileAccess { unlocking.fileAccess }
}

/// A vault whose contents are printed. Without --verify, it stays locked.
struct ListingOptions: ParsableArguments {
    /// For the help of commands with these options.
    static let doubt = """
        Without --verify, the command needs no PIN and verifies nothing: anyone who can write the file can change the \
        output.
        """

    @OptionGroup var unlocking: UnlockOptions

    @Flag(help: "Unlock the vault to verify the output.")
    var verify = false

    var fileAccess: FileAccess { verify ? unlocking.fileAccess : unlocking.vault.lockedAccess }
}

/// A command that prints contents of a vault.
protocol ListingCommand: UnlockingCommand {
    var listing: ListingOptions { get }
}

extension ListingCommand {
    var unlocking: UnlockOptions { listing.unlocking }
    var isVerified: Bool { listing.verify }
    var requiredAccess: FileAccess { listing.fileAccess }

    /// All entries, verified if --verify is given.
    /// - Parameter step: runs before the PIN is asked for.
    func statuses(before step: (Vault) throws -> Void = { _ in }) throws -> [KeyStatus] {
        let file = try vault.open(.reading)
        try step(file)
        if isVerified { return try method.unlock(file).statuses() }
        return try placed(at: vault.name()) { try file.unverifiedStatuses() }
    }
}
