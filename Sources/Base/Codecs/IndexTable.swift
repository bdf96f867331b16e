/// Finds values of an array by their hashes. The values are in the array of the caller, so an index
/// needs eight to sixteen bytes whatever the values are.
public struct IndexTable: Sendable {
    /// In each slot an index and 1; 0 if it is free. At most half of the slots are in use.
    private var slots = [UInt32](repeating: 0, count: 16)
    private var count = 0
    private let seed: (UInt64, UInt64)

    public init() { seed = (.random(in: 0...UInt64.max), .random(in: 0...UInt64.max)) }

    /// A hash that nobody outside the process can predict, so no input makes many equal ones.
    public func hash(_ combine: (inout Hasher) -> Void) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(seed.0)
        hasher.combine(seed.1)
        combine(&hasher)
        return UInt64(bitPattern: Int64(hasher.finalize()))
    }

    /// The index with a hash whose value is the one that is looked for; nil if there is none.
    public func find(_ hash: UInt64, where isFound: (Int) -> Bool) -> Int? {
        var slot = start(hash)
        while slots[slot] != 0 {
            let index = Int(slots[slot]) - 1
            if isFound(index) { return index }
            slot = (slot + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Adds an index, which must not be in the table.
    /// - Parameter hashes: the hash of the value at an index.
    public mutating func add(_ index: Int, hashes: (Int) -> UInt64) {
        if 2 * (count + 1) > slots.count {
            let old = slots
            slots = [UInt32](repeating: 0, count: 2 * old.count)
            for value in old where value != 0 { place(value, hashes(Int(value) - 1)) }
        }
        place(UInt32(truncatingIfNeeded: index + 1), hashes(index))
        count += 1
    }

    /// Replaces an index by another one, whose value has the same hash.
    public mutating func replace(_ old: Int, by new: Int, hash: UInt64) {
        var slot = start(hash)
        while slots[slot] != 0 {
            if Int(slots[slot]) - 1 == old {
                slots[slot] = UInt32(truncatingIfNeeded: new + 1)
                return
            }
            slot = (slot + 1) & (slots.count - 1)
        }
    }

    private mutating func place(_ value: UInt32, _ hash: UInt64) {
        var slot = start(hash)
        while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
        slots[slot] = value
    }

    private func start(_ hash: UInt64) -> Int { Int(truncatingIfNeeded: hash) & (slots.count - 1) }
}

/// An array in pieces: it grows without a copy of all its values.
public struct PiecewiseArray<Value: Sendable>: Sendable {
    @usableFromInline var pieces: [[Value]] = []
    @usableFromInline var size = 0
    @inlinable public var count: Int { size }
    @inlinable static var pieceSize: Int { 1 << 14 }

    @inlinable
    public init() {}

    public subscript(index: Int) -> Value {
        @inlinable
        get { pieces[index / Self.pieceSize][index % Self.pieceSize] }
        @inlinable
        _modify { yield &pieces[index / Self.pieceSize][index % Self.pieceSize] }
    }

    @inlinable
    public mutating func append(_ value: Value) {
        if size % Self.pieceSize == 0 {
            pieces.append([])
            // A small array stays small.
            if size > 0 { pieces[pieces.count - 1].reserveCapacity(Self.pieceSize) }
        }
        pieces[pieces.count - 1].append(value)
        size += 1
    }
}
