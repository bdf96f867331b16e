/// How many rows of a vault are of kinds that this version does not support. They are verified and
/// kept, and not used.
package struct UnsupportedRows: Equatable, Sendable {
    package internal(set) var slots = 0
    package internal(set) var entries = 0
    package internal(set) var records = 0

    package init(slots: Int = 0, entries: Int = 0, records: Int = 0) {
        (self.slots, self.entries, self.records) = (slots, entries, records)
    }

    package var isEmpty: Bool { self == UnsupportedRows() }
}
