/// Finds values of an array by their hashes. The values are in the array of the caller, so an index
/// needs eight to sixteen bytes whatever the values are.
package struct IndexTable: Sendable {
    /// In each slot an index and 1; 0 if it is free. At most half of the slots are in use.
    private var slots = [UInt32](repeating: 0, count: 16)
    package private(set) var count = 0
    private let seed: (UInt64, UInt64)

    package init() { seed = (.random(in: 0...UInt64.max), .random(in: 0...UInt64.max)) }

    /// A hash that nobody outside the process can predict, so no input makes many equal ones.
    package func hash(_ combine: (inout Hasher) -> Void) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(seed.0)
        hasher.combine(seed.1)
        combine(&hasher)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// The index with a hash whose value is the one that is looked for; nil if there is none.
    package func find(_ hash: UInt64, where isFound: (Int) -> Bool) -> Int? {
        var slot = start(hash)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if isFound(index) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds the next index: `count`, whose value must not be in the array before.
    /// - Parameter hash: the hash of a value, also of those that were added before.
    package mutating func add(hash: (Int) -> UInt64) {
        if 2 * (count + 1) > slots.count {
            slots = [UInt32](repeating: 0, count: 2 * slots.count)
            for index in 0..<count { place(index, hash(index)) }
        }
        place(count, hash(count))
        count += 1
    }

    private mutating func place(_ index: Int, _ hash: UInt64) {
        var slot = start(hash)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = UInt32(truncatingIfNeeded: index + 1)
    }

    private func start(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }
}

/// An array in pieces: it grows without a copy of all its values.
package struct PiecewiseArray<Value: Sendable>: Sendable {
    private var pieces: [[Value]] = []
    package private(set) var count = 0
    private static var pieceSize: Int { 1 << 14 }

    package init() {}

    package subscript(index: Int) -> Value {
        get { pieces[index / Self.pieceSize][index % Self.pieceSize] }
        _modify { yield &pieces[index / Self.pieceSize][index % Self.pieceSize] }
    }

    package mutating func append(_ value: Value) {
        if count % Self.pieceSize == 0 {
            pieces.append([])
            // A small array stays small.
            if count > 0 { pieces[pieces.count - 1].reserveCapacity(Self.pieceSize) }
        }
        pieces[pieces.count - 1].append(value)
        count += 1
    }
}
