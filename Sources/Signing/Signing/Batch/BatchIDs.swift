import Codecs
import JSON

/// The ids of the lines of a batch. Only a hash of each is kept, so that the memory for ids of any
/// length is limited.
package struct BatchIDs: Sendable {
    private var table = IndexTable()
    private var ids = PiecewiseArray<Entry>()

    private struct Entry: Sendable {
        let hash: UInt64
        let line: UInt32
    }

    package init() {}

    /// Adds the id of a line. A text and an integer are never the same id. Two ids of a million
    /// have the same hash in fewer than one of ten million batches, which is then refused.
    /// - Returns: the line that has this id already; nil if there is none.
    package mutating func add(_ id: JSONValue, line: Int) -> Int? {
        let hash = table.hash { hasher in
            hasher.combine(id.string != nil)
            for byte in (id.string ?? id.number ?? "").utf8 { hasher.combine(byte) }
        }
        if let index = table.find(hash, where: { ids[$0].hash == hash }) { return Int(ids[index].line) }
        ids.append(Entry(hash: hash, line: UInt32(truncatingIfNeeded: line)))
        table.add(ids.count - 1) { ids[$0].hash }
        return nil
    }
}
