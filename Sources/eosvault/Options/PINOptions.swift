import ArgumentParser
import KeyVault
import SecureMemory

/// Where the PIN comes from: the terminal, or a file or descriptor for programs. Never an argument or the environment.
struct PINOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp("Read the PIN from a file; one final line ending is dropped.", valueName: "path"))
    var pinFile: String?

    @Option(name: .long, help: ArgumentHelp("Read the PIN from an open file descriptor.", valueName: "number"))
    var pinFD: Int32?

    func validate() throws {
        if pinFile != nil, pinFD != nil { throw ValidationError("give --pin-file or --pin-fd, not both") }
        if let pinFD, pinFD < 0 { throw ValidationError("--pin-fd takes a number from 0") }
    }

    private var source: InputFile? {
        pinFile.map { InputFile(path: $0) } ?? pinFD.map { InputFile(path: "/dev/fd/\($0)") }
    }

    /// Whether the PIN takes standard input, which then has nothing else to give.
    var readsStandardInput: Bool { source?.isStandardInput ?? false }

    /// The PIN of a vault that exists.
    private func read() throws -> PIN {
        if let source { return try read(source) }
        let terminal = try Terminal.open(for: Terminal.pin)
        return try PIN(terminal.readSecret("PIN: ", limit: PIN.allowedLengths.upperBound))
    }

    /// Asks for the PIN and opens the vault with it.
    func unlock(_ vault: Vault) throws -> UnlockedVault {
        let way = WayIn.pin(try read())
        return try Progress.during("opening the vault") { try vault.unlock(way) }
    }

    /// A new PIN; at the terminal it is asked for twice.
    func readNew() throws -> PIN {
        if let source { return try read(source) }
        let terminal = try Terminal.open(for: Terminal.pin)
        return try PIN(
            terminal.readNewSecret("new PIN: ", again: "new PIN again: ", limit: PIN.allowedLengths.upperBound))
    }

    private func read(_ source: InputFile) throws -> PIN {
        do { return try PIN(source.readSecret(atMost: PIN.allowedLengths.upperBound)) } catch {
            throw Placed(place: source.name, error: error)
        }
    }
}

/// Secrets must not reach the swap.
enum LockedMemory {
    /// Said after the command, when each allocation has been tried.
    static func warnIfMissing() {
        if !SecureBytes.allAreLocked {
            Messages.warning("not all secrets could be locked in memory, and a swap may hold them now; raise `ulimit -l`")
        }
    }
}
