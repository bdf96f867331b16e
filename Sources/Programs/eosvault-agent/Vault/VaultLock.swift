import KeyVault
import Keys
import Shell
import Synchronization
import WalletAPI

/// Whether the vault is unlocked, and until when. All threads share it.
///
/// Any thread can lock: the keys are wiped at once, or at the end of the signature that uses them.
final class VaultLock: Sendable {
    private struct State {
        /// Of the unlocked vault, and after a lock until its keys are wiped.
        var custody: KeyCustody?
        var wallet: WalletState
        /// The number of locks. A request from before a lock is not signed after it.
        var epoch: UInt64 = 0
        /// When the vault is locked, in seconds since the machine was started, sleep included.
        var deadline = 0.0
        /// The time from the last use to the lock, in seconds.
        var timeout: Double
        /// While a PIN is tried: the number of locks when the try began.
        var tryEpoch: UInt64?
    }

    private let state: Mutex<State>
    private let maximumTimeout: Int64
    private let digestKeys: Set<PublicKey>
    /// Rings at each change that the loop answers.
    private let bell: Bell

    /// - Parameters:
    ///   - timeout: the longest time that the vault may stay unlocked, in seconds.
    ///   - digestKeys: the keys that may sign a digest.
    init(timeout: Int64, digestKeys: Set<PublicKey>, waking bell: Bell) {
        (maximumTimeout, self.digestKeys, self.bell) = (timeout, digestKeys, bell)
        let locked = WalletState(
            keys: [PublicKey]?.none, maximumTimeout: timeout, digestKeys: digestKeys)
        state = Mutex(State(wallet: locked, timeout: Double(timeout)))
    }

    private func wallet(_ keys: [PublicKey]?) -> WalletState {
        WalletState(keys: keys, maximumTimeout: maximumTimeout, digestKeys: digestKeys)
    }

    // MARK: reading

    /// What requests are decided with, and the number of locks so far.
    var now: (wallet: WalletState, epoch: UInt64) {
        lockIfOver()
        return state.withLock { ($0.wallet, $0.epoch) }
    }

    /// True if no lock came after `epoch`, and the vault is unlocked.
    func isUnlocked(since epoch: UInt64) -> Bool {
        lockIfOver()
        return state.withLock { $0.epoch == epoch && $0.wallet.keys != nil }
    }

    /// What a lock wipes.
    struct Wipe {
        fileprivate let custody: KeyCustody?
        fileprivate let epoch: UInt64
    }

    /// True if the keys from before a lock are wiped, and a PIN that was tried meanwhile too. A
    /// later unlock does not count.
    func isDone(_ wipe: Wipe) -> Bool {
        let isTried = state.withLock { $0.tryEpoch.map { $0 < wipe.epoch } ?? false }
        return !isTried && wipe.custody?.isWiped ?? true
    }

    /// How many seconds the vault stays unlocked; nil if it is locked.
    var secondsLeft: Double? {
        state.withLock { $0.wallet.keys == nil ? nil : max(0, $0.deadline - Clock.sinceBoot) }
    }

    // MARK: locking

    /// Locks the vault and wipes its keys. A PIN that is tried now will not unlock it.
    @discardableResult
    func lock() -> Wipe {
        let locked = wallet(nil)
        let wipe = state.withLock { state in
            state.epoch += 1
            state.wallet = locked
            return Wipe(custody: state.custody, epoch: state.epoch)
        }
        wipe.custody?.lock()
        bell.ring()
        return wipe
    }

    /// Locks the vault if its time is over.
    func lockIfOver() {
        let isOver = state.withLock { $0.wallet.keys != nil && Clock.sinceBoot >= $0.deadline }
        if isOver { lock() }
    }

    /// The vault was used: its time begins again.
    func extend() {
        state.withLock { state in
            if state.wallet.keys != nil { state.deadline = Clock.sinceBoot + state.timeout }
        }
    }

    /// - Parameter seconds: at most the longest time.
    func setTimeout(seconds: Int64) {
        state.withLock { $0.timeout = Double(min(seconds, maximumTimeout)) }
        extend()
    }

    // MARK: the thread of the vault

    /// A PIN is tried from now on.
    /// - Returns: the number of locks so far.
    func beginUnlock() -> UInt64 {
        state.withLock { state in
            state.tryEpoch = state.epoch
            return state.epoch
        }
    }

    /// The try is over. Its secrets are wiped, except the keys of an unlocked vault.
    func endUnlock() {
        state.withLock { $0.tryEpoch = nil }
        bell.ring()
    }

    /// The PIN opened the vault, which is not used yet: a lock wipes its keys.
    /// - Returns: false if a lock came; then they are wiped.
    func adopt(_ custody: KeyCustody, since epoch: UInt64) -> Bool {
        custody.notify { [bell] in bell.ring() }
        let isLate = state.withLock { state in
            state.tryEpoch = nil
            guard state.epoch == epoch else { return true }
            state.custody = custody
            return false
        }
        if isLate { custody.lock() }
        return !isLate
    }

    /// The PIN opened the vault. If a lock came meanwhile, its keys are wiped.
    /// - Returns: false if a lock came.
    func unlocked(_ custody: KeyCustody, _ keys: [PublicKey], since epoch: UInt64) -> Bool {
        let wallet = wallet(keys)
        let isLate = state.withLock { state in
            guard state.epoch == epoch else { return true }
            (state.custody, state.wallet) = (custody, wallet)
            state.deadline = Clock.sinceBoot + state.timeout
            return false
        }
        if isLate { custody.lock() }
        return !isLate
    }

    /// The keys of the vault changed.
    func setKeys(_ keys: [PublicKey], of custody: KeyCustody) {
        let wallet = wallet(keys)
        state.withLock { state in
            if state.wallet.keys != nil, state.custody === custody { state.wallet = wallet }
        }
    }
}
