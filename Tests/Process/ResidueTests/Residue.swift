import Glibc

/// How much is searched: the short form in every test run, or everything in `make residue`, which
/// sets EOSVAULT_RESIDUE=long.
enum Residue {
    static let isLong = getenv("EOSVAULT_RESIDUE").map { String(cString: $0) } == "long"

    /// Prints a figure of the long form on its own line.
    static func report(_ text: String) {
        guard isLong else { return }
        let line = Array("residue: \(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
