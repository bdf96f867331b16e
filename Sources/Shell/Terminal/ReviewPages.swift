/// The rows of a review above its summary, in parts. A part is made when it is shown, so that a
/// review of any length needs limited memory.
package struct ReviewPages {
    package let count: Int
    /// The target of `g`: `action` or `line`, which begins a row. A number and `suffix` follow.
    package let noun: String
    package let suffix: String
    /// The rows of each part, until it was made.
    package let estimate: Int
    /// The part with an action or a line; nil if there is none.
    package let part: (_ number: Int) -> Int?
    /// Makes the rows of a part for a number of columns.
    package let rows: (_ part: Int, _ columns: Int) throws -> [String]

    /// The actions of one transaction, in one part.
    package init(_ rows: @escaping (_ columns: Int) -> [String]) {
        (count, noun, suffix, estimate) = (1, "action", " of ", 0)
        part = { _ in 0 }
        self.rows = { _, columns in rows(columns) }
    }

    /// Many lines.
    /// - Parameter estimate: the rows of a part, about.
    package init(
        lines count: Int, estimate: Int, part: @escaping (_ number: Int) -> Int?,
        rows: @escaping (_ part: Int, _ columns: Int) throws -> [String]
    ) {
        (self.count, noun, suffix, self.estimate) = (count, "line", " ", estimate)
        (self.part, self.rows) = (part, rows)
    }
}
