import Glibc
import Hardening
package import KeyVault
import Keys
import Messages
import Policy
import Signing
import Transactions

/// An open vault file that is locked.
///
/// Its lists are read from the file and are not verified; ``UnlockedVault`` verifies them. One
/// thread uses a vault at a time. Several processes, and several objects in one process, can have
/// the same file open. In a child process after `fork`, every call throws `other-process`.
public final class Vault {
    package let value: KeyVault.Vault
    private let process = getpid()

    /// Opens a vault. The file and its folder must belong to the user, and no one else may write
    /// them or read the file.
    /// - Parameters:
    ///   - path: the file itself, not a symbolic link to it.
    ///   - stateFolder: remembers which state of the vault was seen last, so that an older copy is
    ///     refused; nil to remember nothing.
    /// - Throws: `no-vault`, `not-a-vault`, `permissions`, `damaged`, and others of the file.
    public init(path: String, stateFolder: String? = Vault.defaultStateFolder) throws(EOSError) {
        // Next, the app reads the PIN.
        KeyVault.Vault.startLibraries()
        value = try reporting { () throws(VaultError) in
            let witness = stateFolder.map { Witness(folder: $0) }
            try witness?.verifyFolder()
            return try KeyVault.Vault.open(path, witness: witness, clock: .withoutWaits)
        }
    }

    /// The folder that `eosvault` uses: `$XDG_STATE_HOME/eosvault`, or `~/.local/state/eosvault`;
    /// nil if neither variable is set.
    public static var defaultStateFolder: String? {
        func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }
        return try? Witness.defaultFolder(
            stateHome: variable("XDG_STATE_HOME"), home: variable("HOME"))
    }

    /// Makes a vault without keys. The file appears complete and synced, or not at all. The
    /// derivation of the key takes about a second, with 256 MiB of memory.
    /// - Parameters:
    ///   - path: must not exist; its folder must belong to the user, and no one else may write it.
    ///   - method: the only unlock method of the vault. ``UnlockedVault/add(_:)`` adds more.
    /// - Throws: `exists`, `permissions`, `disk-full`, `not-enough-memory`, `commit-uncertain`.
    public static func create(at path: String, unlockedBy method: borrowing UnlockMethod) throws(EOSError) {
        do throws(VaultError) {
            try KeyVault.Vault.create(
                at: path, method: SlotSecret(of: method.value), createdAt: Int64(time(nil)))
        } catch { throw EOSError(error.words) }
    }

    /// Protects this process: no other process of the user can read its memory or attach a
    /// debugger, a crash writes no core file and prints no registers, and the limit of locked
    /// memory becomes the highest that the system allows. Call it once, before the app reads a
    /// secret. It also restores the default action of SIGQUIT and of the signals of crashes, such
    /// as SIGSEGV. Child processes inherit that they write no core file, and without the rights of
    /// root the app can no longer read its own files in /proc.
    /// - Throws: `sandbox` if the kernel refuses.
    public static func hardenProcess() throws(EOSError) {
        guard ThisProcess.protectMemory() else { throw EOSError(.readableProcess) }
    }

    /// The keys in the file, in the order of their creation, not verified.
    /// - Throws: `damaged`, `busy`.
    public func keys() throws(EOSError) -> [VaultKey] {
        try reading { vault throws(VaultError) in try vault.unverifiedKeys().map { VaultKey($0) } }
    }

    /// Unlocks the vault. The derivation of the key takes about a second, with the memory that was
    /// chosen when the vault was made, and uses the calling thread.
    /// - Throws: `wrong-pin`; `busy` if an unlock failed so recently that the next one must wait;
    ///   `rolled-back`, `damaged`, `not-enough-memory`.
    public func unlock(_ method: borrowing UnlockMethod) throws(EOSError) -> UnlockedVault {
        try expectSameProcess()
        do throws(VaultError) { return UnlockedVault(try value.unlock(method.value), of: self) } catch {
            throw EOSError(error.words)
        }
    }

    /// Decodes a transaction, from the bytes that are signed, for a person or a program to check,
    /// and chooses the keys that are to sign it. No PIN is needed: when the vault signs, it
    /// compares what the review shows of it with its verified rows.
    /// - Parameters:
    ///   - transaction: may have signatures of other keys, which are kept.
    ///   - chain: the chain for which it is signed.
    ///   - keys: public keys or labels, in the order of the signatures. Without any, the only key
    ///     of the vault.
    ///   - abis: ABIs of contracts, in JSON or raw form, in addition to those that the vault pins
    ///     and the built-in ones. They can't replace one of these.
    /// - Throws: `undecodable`, `no-abi`, `abi-differs`, `no-such-key`, `several-keys`,
    ///   `other-chain`, `damaged`.
    public func review(
        _ transaction: Antelope.Transaction, for chain: Antelope.ChainID, keys: [String] = [],
        abis: [Antelope.Name: [UInt8]] = [:]
    ) throws(EOSError) -> Review {
        try expectSameProcess()
        let review: Swift.Result<Review, EOSError>
        do {
            review = try value.snapshot {
                Swift.Result { () throws(EOSError) in
                    try Review(transaction, for: chain, keys: keys, abis: abis, in: value)
                }
            }
        } catch { throw EOSError(Words(for: error)) }
        return try review.get()
    }

    func reading<Result>(
        _ body: (KeyVault.Vault) throws(VaultError) -> Result
    ) throws(EOSError) -> Result {
        try expectSameProcess()
        return try reporting { () throws(VaultError) in try body(value) }
    }

    func expectSameProcess() throws(EOSError) {
        guard getpid() == process else { throw EOSError(Words(.otherProcess)) }
    }
}
