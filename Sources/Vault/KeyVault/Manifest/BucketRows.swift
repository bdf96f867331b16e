import Codecs
import SecureMemory

/// The rows of one bucket as the manifest covers them: their names in ascending order, and the
/// digest of each row.
struct BucketRows {
    private let leaf: Manifest.Leaf
    private var names: [String] = []
    /// The row digests, joined in the order of the names.
    private var digests: [UInt8] = []

    init(_ leaf: Manifest.Leaf) { self.leaf = leaf }

    func contains(_ name: String) -> Bool {
        let index = index(of: name)
        return index < names.count && names[index].utf8.elementsEqual(name.utf8)
    }

    /// Appends the last row. In a table without names (nil), rows always come in order.
    /// - Throws: `damaged(.row)` when the names are not ascending, because a crafted page tree may
    ///   return a row twice.
    /// - Parameter key: the manifest's key.
    mutating func append(
        _ row: RowEncoder, name: String?, _ key: borrowing SecureBytes
    ) throws(VaultError) {
        if let name {
            guard names.last.map({ $0.utf8.lexicographicallyPrecedes(name.utf8) }) ?? true else {
                throw .damaged(leaf.table)
            }
            names.append(name)
        }
        digests.append(contentsOf: Sodium.keyedHash(row.bytes, key: key))
    }

    /// Inserts a row at its place. The bucket must not have its name yet.
    mutating func insert(_ row: RowEncoder, name: String, _ key: borrowing SecureBytes) {
        let index = index(of: name)
        names.insert(name, at: index)
        digests.insert(
            contentsOf: Sodium.keyedHash(row.bytes, key: key), at: index * Sodium.digestCount)
    }

    /// The bucket with only this row; empty if there is none.
    func only(_ name: String) -> BucketRows {
        var rows = BucketRows(leaf)
        guard contains(name) else { return rows }
        let start = index(of: name) * Sodium.digestCount
        (rows.names, rows.digests) = ([name], Array(digests[start..<start + Sodium.digestCount]))
        return rows
    }

    var count: Int { names.count }

    /// Also of rows without names.
    var digestCount: Int { digests.count / Sodium.digestCount }

    /// The number of rows with such a name.
    func count(where isCounted: (String) -> Bool) -> Int { names.count(where: isCounted) }

    /// The same rows without the one at an index.
    func without(_ index: Int) -> BucketRows {
        var rows = self
        rows.remove(at: index)
        return rows
    }

    /// Removes the row with this name, which must exist.
    mutating func remove(_ name: String) { remove(at: index(of: name)) }

    private mutating func remove(at index: Int) {
        names.remove(at: index)
        digests.removeSubrange(index * Sodium.digestCount..<(index + 1) * Sodium.digestCount)
    }

    /// The digest of the bucket over its rows.
    func digest(_ keys: VaultKeys) throws(VaultError) -> [UInt8] {
        let count = UInt64(digests.count / Sodium.digestCount)
        let place = [leaf.table.number] + UInt16(truncatingIfNeeded: leaf.bucket).littleEndianBytes
        let message = Domain.leaf.bytes + place + count.littleEndianBytes + digests
        return try keys.manifest.lend { key throws(VaultError) in Sodium.keyedHash(message, key: key) }
    }

    /// The index of the name, or the index to insert it at.
    private func index(of name: String) -> Int {
        var low = 0
        var high = names.count
        while low < high {
            let middle = (low + high) / 2
            if names[middle].utf8.lexicographicallyPrecedes(name.utf8) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}
