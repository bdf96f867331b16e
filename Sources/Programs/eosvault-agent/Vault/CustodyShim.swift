import KeyVault
import Synchronization
final class KeyCustody: Sendable { let a = Atomic(false); func lock() { a.store(true, ordering: .relaxed) }; var isLocked: Bool { a.load(ordering: .relaxed) }; var isWiped: Bool { isLocked } }
nonisolated(unsafe) var shim = KeyCustody()
extension UnlockedVault { var custody: KeyCustody { unsafe shim } }
