import Transactions

extension Review {
    /// - Throws: the errors of `ContractABIs.expectPins`.
    func expectPins(_ verified: [PinnedContractABI]) throws(SigningError) {
        try pins.expect(verified)
    }

    /// - Parameter verified: the name that the vault gives to the chain.
    /// - Throws: `chainNameChangedSinceReview`.
    func expectChainName(_ verified: String?) throws(SigningError) {
        guard chainName == verified else { throw .chainNameChangedSinceReview }
    }
}

extension ContractABIs {
    /// - Parameter verified: The ABIs that the vault pins for the chain.
    /// - Throws: `pinsChangedSinceReview` unless they are exactly the ABIs of the review: without a
    ///   removed pin, another ABI would have decoded the bytes.
    func expectPins(_ verified: [PinnedContractABI]) throws(SigningError) {
        try pins.expect(verified)
    }
}

extension [PinnedContractABI] {
    fileprivate func expect(_ verified: [PinnedContractABI]) throws(SigningError) {
        guard self != verified else { return }
        for pin in self + verified where !contains(pin) || !verified.contains(pin) {
            throw .pinsChangedSinceReview(account: pin.account)
        }
    }
}
