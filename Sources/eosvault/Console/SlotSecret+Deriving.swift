import KeyVault

extension SlotSecret {
    /// Derives what a new slot needs, and says that it takes a while.
    static func deriving(_ method: borrowing UnlockMethod, _ cost: KDFCost) throws -> SlotSecret {
        try Progress.during("deriving the slot's key") { try SlotSecret(of: method, cost: cost) }
    }
}
