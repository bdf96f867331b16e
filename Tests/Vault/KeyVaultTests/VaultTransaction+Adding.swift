@testable import KeyVault

extension VaultTransaction {
    /// Adds a row to the digest of its bucket, which was loaded before. The test writes it to the
    /// file.
    mutating func add(
        _ name: String, _ leaf: Manifest.Leaf, _ encode: (inout RowEncoder) -> Void
    ) throws(VaultError) {
        var encoder = RowEncoder(rowOf: leaf.table)
        encode(&encoder)
        try buckets.cover(encoder, named: name, in: leaf)
    }
}
