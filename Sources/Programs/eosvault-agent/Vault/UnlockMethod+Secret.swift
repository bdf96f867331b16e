import KeyVault
import WalletAPI

extension UnlockMethod {
    /// The secrets of a request.
    init(_ secret: consuming UnlockSecret) throws {
        switch consume secret {
        case .pin(let bytes): self = .pin(try PIN(bytes))
        case .pinAndKeyFile(let pin, let file): self = .pinAndKeyFile(try PIN(pin), try KeyFile(file))
        case .recovery(let words): self = .recovery(try RecoveryPhrase(words: words))
        }
    }
}
