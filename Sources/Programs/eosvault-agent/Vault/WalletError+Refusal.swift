import App
import KeyVault
import Messages
import Shell
import Signing
import WalletAPI

extension WalletError {
    /// Why the vault did not do what a request asked for, in one line, with the stable code.
    /// - Parameter isOwn: true for the agent's own calls, whose errors have stable codes.
    init(refused error: any Error, isOwn: Bool) {
        if let error = error as? WalletError {
            self = error
            return
        }
        guard !isOwn else {
            self.init(Words(for: error).forClient)
            return
        }
        let cause = (error as? Placed)?.error ?? error
        switch cause as? VaultError {
        case let error? where error.isWrongMethod: self = .wrongPassword
        case .input(.pinEmpty), .input(.pinTooShort), .input(.pinTooLong),
            .input(.pinNotPrintableASCII):
            self = .wrongPassword
        case .input(.keyExists): self = .keyExists
        default:
            let words = Words(ofLine: cause)
            // Signing states an error of the vault as its own.
            guard words.code != .locked else {
                self = .isLocked
                return
            }
            self.init(.wallet, "\(words.message) (\(words.code.name))")
        }
    }
}

extension SigningError {
    /// True if the vault changed after the review.
    var isChange: Bool {
        switch self {
        case .changedSinceReview, .historyChangedSinceReview, .policiesChangedSinceReview,
            .pinsChangedSinceReview, .chainNameChangedSinceReview:
            true
        default: false
        }
    }
}
