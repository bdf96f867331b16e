import KeyVault
import Shell

extension SlotSecret {
    /// Derives the key of a new slot, and shows progress.
    static func deriving(_ method: borrowing UnlockMethod, _ cost: KDFCost) throws -> SlotSecret {
        try Progress.during("deriving the slot's key") { try SlotSecret(of: method, cost: cost) }
    }
}
