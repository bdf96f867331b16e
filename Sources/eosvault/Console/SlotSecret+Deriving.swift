import KeyVault

extension SlotSecret {
    /// Derives what a new slot needs, and says that it takes a while.
    static func deriving(_ way: borrowing WayIn, _ cost: KDFCost) throws -> SlotSecret {
        try Progress.during("deriving the slot's key") { try SlotSecret(of: way, cost: cost) }
    }
}
