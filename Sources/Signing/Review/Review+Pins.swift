import Transactions

extension Review {
    /// - Parameter verified: The ABIs that the vault pins for the chain.
    /// - Throws: `pinsChangedSinceReview` unless they are exactly those that the review had:
    ///   without a removed pin, another ABI would have decoded the bytes.
    func expectPins(_ verified: [PinnedContractABI]) throws(SigningError) {
        guard pins != verified else { return }
        for pin in pins + verified where !pins.contains(pin) || !verified.contains(pin) {
            throw .pinsChangedSinceReview(account: pin.account)
        }
    }
}
