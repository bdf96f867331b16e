import SecureMemory
import Synchronization

/// The secrets of an unlocked vault. Any thread can lock it at any moment.
///
/// A secret is lent to a closure, which is one use. `lock` wipes all secrets at once if no use
/// runs. Otherwise the outermost running use wipes them when it ends. No use begins after `lock`.
/// The uses themselves are made by one thread at a time: the thread that has the vault.
package final class KeyCustody: Sendable {
    /// Twice the number of running uses, plus 1 when the vault is locked. No lock is held, because
    /// a use may take long, and because uses are nested.
    private let state = Atomic(0)
    private let wiped = Atomic(false)
    private let whenWiped = AtomicLazyReference<Callback>()
    /// The secrets. Only a use changes the list, or the wipe, and no use runs during the wipe.
    nonisolated(unsafe) private var secrets: [ObjectIdentifier: WipedSecret] = [:]

    private final class Callback: Sendable {
        let call: @Sendable () -> Void

        init(_ call: @escaping @Sendable () -> Void) { self.call = call }
    }

    package init() {}

    /// True from the first call of `lock` on.
    package var isLocked: Bool { state.load(ordering: .acquiring) & 1 == 1 }

    /// True once all secrets are wiped.
    package var isWiped: Bool { wiped.load(ordering: .acquiring) }

    /// Locks the vault. When this returns, the secrets are wiped, or the running use wipes them.
    package func lock() {
        if state.bitwiseOr(1, ordering: .acquiringAndReleasing).oldValue == 0 { wipe() }
    }

    /// Sets the function that is called once after the wipe, by the thread that wiped. Only the
    /// first call sets it. Call it before the vault can be locked.
    package func notify(_ call: @escaping @Sendable () -> Void) {
        _ = whenWiped.storeIfNil(Callback(call))
    }

    /// Runs `body` as one use: until it returns, secrets of the vault stay in memory.
    /// - Throws: `locked`, and the errors of `body`.
    package func use<Result: ~Copyable, Failure: VaultFailure>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard begin() else { throw Failure(vault: .input(.locked)) }
        defer { end() }
        return try body()
    }

    private func begin() -> Bool {
        var current = state.load(ordering: .relaxed)
        while current & 1 == 0 {
            let (isBegun, original) = state.weakCompareExchange(
                expected: current, desired: current + 2, ordering: .acquiring)
            if isBegun { return true }
            current = original
        }
        return false
    }

    private func end() {
        if state.wrappingSubtract(2, ordering: .acquiringAndReleasing).newValue == 1 { wipe() }
    }

    /// Called once: no use begins after `lock`, and only one thread sees the last use end.
    private func wipe() {
        for secret in unsafe secrets.values { secret.wipe() }
        unsafe secrets = [:]
        wiped.store(true, ordering: .releasing)
        whenWiped.load()?.call()
    }

    /// Takes a secret in custody, in a use.
    fileprivate func add(_ secret: WipedSecret) { unsafe secrets[ObjectIdentifier(secret)] = secret }

    /// Wipes a secret that is no longer needed. When the vault is locked, this happens anyway.
    fileprivate func discard(_ secret: WipedSecret) {
        guard begin() else { return }
        secret.wipe()
        unsafe secrets[ObjectIdentifier(secret)] = nil
        end()
    }

    #if DEBUG
        var testOnlyCount: Int { unsafe secrets.count }
    #endif
}

/// A secret that can be wiped while it stays allocated.
protocol WipedInPlace: ~Copyable {
    mutating func wipe()
}

extension SecureBytes: WipedInPlace {}

/// A secret in custody, without its type.
private class WipedSecret {
    func wipe() {}
}

/// A secret of an unlocked vault: a subkey, or a private key that stays open. It is wiped with the
/// other secrets of its custody, or when the last reference to it ends.
final class HeldSecret<Secret: ~Copyable & WipedInPlace> {
    private final class Storage: WipedSecret {
        var secret: Secret

        init(_ secret: consuming Secret) { self.secret = secret }

        override func wipe() { secret.wipe() }
    }

    private let storage: Storage
    private let custody: KeyCustody

    /// - Throws: `locked`.
    init(_ secret: consuming Secret, in custody: KeyCustody) throws(VaultError) {
        storage = Storage(secret)
        self.custody = custody
        try custody.use { () throws(VaultError) in custody.add(storage) }
    }

    deinit { custody.discard(storage) }

    /// Lends the secret, in one use.
    /// - Throws: `locked`, and the errors of `body`.
    func lend<Result: ~Copyable, Failure: VaultFailure>(
        _ body: (borrowing Secret) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try custody.use { () throws(Failure) in try body(storage.secret) }
    }

    #if DEBUG
        /// Lends the secret also when it is wiped.
        func testOnlyLend<Result>(_ body: (borrowing Secret) -> Result) -> Result { body(storage.secret) }
    #endif
}
