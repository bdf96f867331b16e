import CSystem
import Glibc

/// The rows and columns of a terminal, as its driver reports them. The environment (`COLUMNS`) is
/// not used: another program could set it.
package struct TerminalSize: Equatable {
    package let rows: Int
    package let columns: Int

    /// Most terminals have had at least this size since the VT100.
    package static let standard = TerminalSize(rows: 24, columns: 80)
    /// The rows of a review do not fit into fewer columns.
    private static let fewestColumns = 10
    private static let fewestRows = 4
    private static let mostColumns = 500

    package init(rows: Int, columns: Int) {
        self.rows = rows
        self.columns = columns
    }

    /// The size of the terminal on standard output; nil if it is not a terminal.
    package static var ofStandardOutput: TerminalSize? {
        isatty(STDOUT_FILENO) == 1 ? TerminalSize(of: STDOUT_FILENO) : nil
    }

    /// The size of the terminal that a descriptor is open on; the standard size for a file or a
    /// pipe, and for a terminal that reports none.
    package init(of descriptor: Int32) {
        let size = terminal_size(descriptor)
        guard size.rows > 0, size.columns > 0 else {
            self = .standard
            return
        }
        rows = max(Self.fewestRows, Int(size.rows))
        columns = min(max(Self.fewestColumns, Int(size.columns)), Self.mostColumns)
    }
}
