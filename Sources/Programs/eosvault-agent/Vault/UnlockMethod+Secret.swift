import App
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

    /// A PIN together with a TPM that the agent was started with; any other method as it is.
    consuming func withTPM(_ tpm: DeviceName?) throws -> UnlockMethod {
        guard let tpm else { return self }
        return switch consume self {
        case .pin(let pin): .pinAndTPM(PINAndTPM(pin, try tpm.openTPM()))
        case let other: other
        }
    }
}
