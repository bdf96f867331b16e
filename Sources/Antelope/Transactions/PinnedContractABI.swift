import ABICodec
import Synchronization

/// An ABI that a vault pins for an account of the transaction's chain. It is compiled at its first
/// use: a vault may pin many ABIs, and a transaction needs few of them.
package final class PinnedContractABI: Sendable {
    package let account: Name
    /// The raw form, byte for byte.
    package let raw: [UInt8]
    /// Set once. A lock would need a system call that the library does not otherwise make.
    private let compiled = AtomicLazyReference<Outcome>()

    struct Compiled: Sendable {
        let abi: ABI
        let hash: ABIHash
    }

    private final class Outcome: Sendable {
        let result: Result<Compiled, ABIError>

        init(_ result: Result<Compiled, ABIError>) { self.result = result }
    }

    package init(account: Name, raw: [UInt8]) {
        self.account = account
        self.raw = raw
    }

    /// - Throws: `abi`.
    func compile() throws(TransactionError) -> Compiled {
        let outcome =
            compiled.load()
            ?? compiled.storeIfNil(
                Outcome(
                    Result { () throws(ABIError) in
                        Compiled(abi: try ABI(ABIDefinition(raw: raw)), hash: ABIHash(raw: raw))
                    }))
        do { return try outcome.result.get() } catch { throw .abi(account: account, error) }
    }
}

extension PinnedContractABI: Equatable {
    package static func == (left: PinnedContractABI, right: PinnedContractABI) -> Bool {
        left.account == right.account && left.raw == right.raw
    }
}
