import ABICodec
import Codecs

/// An ABI that a vault pins for an account of the transaction's chain. It is compiled at its first
/// use: a vault may pin many ABIs, and a transaction needs few of them.
package final class PinnedContractABI: Sendable {
    package let account: Name
    /// The raw form, byte for byte.
    package let raw: [UInt8]
    private let compiled = Memo<Result<Compiled, ABIError>>()

    struct Compiled: Sendable {
        let abi: ABI
        let hash: ABIHash
    }

    package init(account: Name, raw: [UInt8]) {
        self.account = account
        self.raw = raw
    }

    /// - Throws: `abi`.
    func compile() throws(TransactionError) -> Compiled {
        let result = compiled.value {
            Result { () throws(ABIError) in
                Compiled(abi: try ABI(ABIDefinition(raw: raw)), hash: ABIHash(raw: raw))
            }
        }
        do { return try result.get() } catch { throw .abi(account: account, error) }
    }
}

extension PinnedContractABI: Equatable {
    package static func == (left: PinnedContractABI, right: PinnedContractABI) -> Bool {
        left.account == right.account && left.raw == right.raw
    }
}
