import Codecs
import Testing

/// Values of an array are found by their hashes, in any number.
struct IndexTableTests {
    private static func hash(_ value: Int, _ table: IndexTable) -> UInt64 { table.hash { $0.combine(value) } }

    @Test func findsWhatWasAdded() {
        let hashes = IndexTable()
        var (table, values) = (hashes, PiecewiseArray<Int>())
        // More than one piece, and several sizes of the table.
        for value in 0..<40_000 {
            #expect(table.find(Self.hash(value, hashes)) { values[$0] == value } == nil)
            values.append(value)
            let known = values
            table.add(values.count - 1) { Self.hash(known[$0], hashes) }
        }
        #expect(values.count == 40_000)
        for value in stride(from: 0, to: 40_000, by: 7) {
            #expect(table.find(Self.hash(value, hashes)) { values[$0] == value } == value)
        }
        #expect(table.find(Self.hash(-1, hashes)) { values[$0] == -1 } == nil)
    }

    /// Values with equal hashes are compared.
    @Test func equalHashesAreCompared() {
        var table = IndexTable()
        let values = ["a", "b", "c"]
        for index in values.indices { table.add(index) { _ in 7 } }
        for (index, value) in values.enumerated() { #expect(table.find(7) { values[$0] == value } == index) }
        #expect(table.find(7) { values[$0] == "d" } == nil)
        table.replace(1, by: 9, hash: 7)
        #expect(table.find(7) { $0 == 9 } == 9 && table.find(7) { $0 == 1 } == nil)
        // An index that is not in the table is not replaced.
        table.replace(50, by: 51, hash: 7)
        #expect(table.find(7) { $0 == 51 } == nil)
    }

    /// Two tables have other hashes, so that no input makes many equal ones.
    @Test func hashesAreSeeded() {
        #expect(Self.hash(1, IndexTable()) != Self.hash(1, IndexTable()))
    }

    @Test func aPieceIsChangedInPlace() {
        var values = PiecewiseArray<Int>()
        for value in 0..<20_000 { values.append(value) }
        values[16_390] += 1
        #expect(values[16_390] == 16_391 && values[16_389] == 16_389 && values[0] == 0)
    }
}
