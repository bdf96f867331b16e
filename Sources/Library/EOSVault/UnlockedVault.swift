import Files
import Glibc
package import KeyVault
import Keys
import Messages
import Signing
import Synchronization
import Tokens

/// A vault whose master key is in guarded memory. It is wiped when this value ends, or when any
/// thread calls ``VaultLock/lock()``.
///
/// Everything that it returns was verified. Each call is one transaction of the file: its result is
/// returned after the change is durable, and when it throws, nothing is changed.
public struct UnlockedVault: ~Copyable {
    private let value: KeyVault.UnlockedVault
    private let vault: Vault

    init(_ value: consuming KeyVault.UnlockedVault, of vault: Vault) {
        self.value = value
        self.vault = vault
    }

    /// Locks the vault from any thread, for example after a pause.
    public var lock: VaultLock { VaultLock(custody: value.custody) }

    /// The keys, verified, in the order of their creation.
    /// - Throws: `damaged`, `locked`, `busy`.
    public borrowing func keys() throws(EOSError) -> [VaultKey] {
        try using { value throws(VaultError) in
            try value.statuses().filter(\.entry.isKey).map { status throws(VaultError) in
                VaultKey(try KeyDescription(status))
            }
        }
    }

    /// Makes a key. Make a backup before an account uses it.
    /// - Parameters:
    ///   - label: unique in the vault: 1 to 64 characters; nil for none.
    ///   - curve: every chain and wallet supports K1.
    /// - Throws: `invalid-label`, `label-exists`, `disk-full`, `read-only`, `locked`, `busy`.
    @discardableResult
    public borrowing func createKey(
        label: String? = nil, curve: KeyCurve = .k1
    ) throws(EOSError) -> VaultKey {
        let key = try reporting { () throws(CurveError) in try PrivateKey.generate(curve.value) }
        return try insert(key, label: label, origin: .created)
    }

    /// Stores a private key that exists elsewhere.
    /// - Parameters:
    ///   - text: `PVT_K1_…`, WIF or `PVT_R1_…`.
    ///   - label: unique in the vault: 1 to 64 characters; nil for none.
    /// - Throws: `invalid-key`, `development-key` for the key that is published, `key-exists`, and
    ///   the errors of ``createKey(label:curve:)``.
    @discardableResult
    public borrowing func importKey(
        _ text: consuming Secret, label: String? = nil
    ) throws(EOSError) -> VaultKey {
        let key: PrivateKey
        do throws(KeyTextError) { key = try PrivateKey.parse(text.bytes) } catch {
            throw EOSError(error.words(kind: .privateKey))
        }
        guard key.publicKey.text != Keys.PublicKey.developmentText else {
            throw EOSError(Words(.developmentKey))
        }
        return try insert(key, label: label, origin: .imported)
    }

    private borrowing func insert(
        _ key: borrowing PrivateKey, label: String?, origin: KeyOrigin
    ) throws(EOSError) -> VaultKey {
        try using { value throws(VaultError) in
            let label = try label.map { text throws(VaultError) in try Label(text) }
            try value.insert(key, label: label, createdAt: Int64(time(nil)), origin: origin)
            return VaultKey(KeyDescription(key.publicKey, label: label?.text, isBackedUp: false))
        }
    }

    /// Opens the PKCS#11 tokens of all keys. From then on, these keys sign like any other key. The
    /// tokens are logged out when this value ends. A library starts no process, so the app starts
    /// the program `eosvault-token` with one pipe as its standard input and one as its standard
    /// output. Its arguments are `--module PATH` for each module that others than root can change.
    /// - Parameters:
    ///   - request: writes to the program. The library closes it.
    ///   - answer: reads from the program. The library closes it.
    ///   - seconds: how long each call of a token may take: 1 to 600.
    ///   - pin: the PIN, the same for all tokens.
    /// - Throws: the first error: `no-token`, `several-tokens`, `wrong-token-pin`,
    ///   `token-pin-locked`, `token-program`, `token-module`, `token-failed`, `token-timeout`,
    ///   `token-key`. Then the tokens of the other keys are open.
    public borrowing func openTokens(
        request: Int32, answer: Int32, seconds: Int = 15, pin: consuming Secret
    ) throws(EOSError) {
        let program = TokenProgram(
            request: FileDescriptor(request), answer: FileDescriptor(answer),
            milliseconds: UInt32(min(max(seconds, 1), 600)) * 1000, isOffered: false)
        try vault.expectSameProcess()
        let failed: [(key: Keys.PublicKey, error: any Error)]
        do {
            let tokens = try TokenKeys(program, pin: (consume pin).bytes, in: value.custody)
            failed = try value.openAllTokens { _ in tokens }
        } catch { throw EOSError(Words(for: error)) }
        if let (_, error) = failed.first { throw EOSError(Words(for: error)) }
    }

    /// Adds an unlock method, such as a new recovery phrase. For a PIN, this takes about a
    /// second.
    /// - Throws: `slots-full`, `not-enough-memory`, `disk-full`, `read-only`, `locked`, `busy`.
    public borrowing func add(_ method: borrowing UnlockMethod) throws(EOSError) {
        try using { value throws(VaultError) in
            let secret = try SlotSecret(of: method.value)
            _ = try value.transaction { transaction throws(VaultError) in try transaction.addSlot(secret) }
        }
    }

    /// Signs with the keys of the review, and records each signature in the vault's audit log. A
    /// signature is returned only if its public key is the requested one.
    /// - Throws: the errors of ``Review/accepted(by:)`` for the verified policies;
    ///   `changed-meanwhile` if the vault no longer is what the review showed; `read-only`,
    ///   `locked`, `busy`, `disk-full`, `commit-uncertain`.
    public borrowing func sign(_ review: AcceptedReview) throws(EOSError) -> Antelope.Transaction {
        try vault.expectSameProcess()
        do throws(SigningError) { return Antelope.Transaction(try review.request.sign(with: value)) } catch {
            throw EOSError(error.words)
        }
    }

    /// Writes a copy of the vault, and reads it back. It has the same unlock methods.
    /// - Parameter path: must not exist.
    /// - Throws: `exists`, `damaged`, `disk-full`, `read-back`, `backup-not-recorded`.
    /// - Returns: the number of keys in the copy.
    @discardableResult
    public borrowing func backup(to path: String) throws(EOSError) -> Int {
        try using { value throws(VaultError) in try value.backup(to: path).counts.keys }
    }

    private borrowing func using<Result>(
        _ body: (borrowing KeyVault.UnlockedVault) throws(VaultError) -> Result
    ) throws(EOSError) -> Result {
        try vault.expectSameProcess()
        do throws(VaultError) { return try body(value) } catch { throw EOSError(error.words) }
    }
}

/// The curve of a key.
public enum KeyCurve: Sendable {
    /// secp256k1
    case k1
    /// secp256r1, also called P-256: the curve of phones and of most hardware tokens.
    case r1

    var value: Curve { self == .k1 ? .k1 : .r1 }
}

/// Locks an unlocked vault from any thread.
public struct VaultLock: Sendable {
    package let custody: KeyCustody

    /// When this returns, the keys are wiped, or the running call wipes them when it ends. After
    /// that, every call throws `locked`.
    public func lock() { custody.lock() }

    /// True after ``lock()``.
    public var isLocked: Bool { custody.isLocked }
}
