import Glibc

/// How much is searched: what every test run has time for, or all of it by `make residue`, which
/// sets EOSVAULT_RESIDUE=long.
enum Residue {
    static let isLong = getenv("EOSVAULT_RESIDUE").map { String(cString: $0) } == "long"

    /// A figure of the long form, on a line of its own.
    static func tell(_ text: String) {
        guard isLong else { return }
        let line = Array("residue: \(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}
