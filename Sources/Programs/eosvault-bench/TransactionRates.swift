import ArgumentParser
import CYardstick
import Codecs
import Keys
import Transactions

/// Compares packing and digesting a transaction of one transfer with copying its bytes and hashing
/// them.
enum TransactionRates {
    /// The header; a transfer of eosio.token by alice@active; no extensions.
    private static let packed =
        "b4c1a06534122143658700000000" + "0100a6823403ea3055000000572d3ccdcd01"
        + "0000000000855c3400000000a8ed3232"
        + "21"
        + "0000000000855c340000000000000e3d102700000000000004454f530000000000" + "00"

    static func packAndDigest(_ name: String) throws -> Rate? {
        let bytes = try Hex.decode(packed)
        let (chain, transaction, count) = (try ChainID("eos"), try SignedTransaction(packed: bytes), 1_000)
        var buffer = [UInt8](repeating: 0, count: bytes.count + 64)
        var digest = [UInt8](repeating: 0, count: 32)
        guard unsafe yardstick_digest(chain.bytes, bytes, bytes.count, &buffer, &digest) == 0 else {
            throw ExitCode.failure
        }
        guard digest == transaction.digest(for: chain).bytes else { throw ExitCode.failure }
        return try Rate.compare(name, with: "memcpy and SHA-256 of libcrypto", count: count) {
            for _ in 0..<count {
                guard transaction.transaction.packed == bytes else { throw ExitCode.failure }
                _ = transaction.digest(for: chain)
            }
        } yardstick: {
            for _ in 0..<count {
                _ = unsafe yardstick_digest(chain.bytes, bytes, bytes.count, &buffer, &digest)
            }
        }
    }
}
