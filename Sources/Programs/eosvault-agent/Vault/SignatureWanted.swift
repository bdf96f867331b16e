import App
import Policy
import Shell
import Signing
import WalletAPI

/// A transaction to sign.
enum SignatureWanted: Sendable {
    case call(SigningCall)
    case order(SigningOrder)

    /// The warnings that refuse it.
    func refused() throws -> RefusedWarnings {
        guard case .order(let order) = self else { return .none }
        return RefusedWarnings(Set(try order.refuse.map { try WarningCode.parsed($0) }), now: Clock.now)
    }
}
