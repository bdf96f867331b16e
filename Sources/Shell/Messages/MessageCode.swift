/// The code of a message, for programs. `eosvault help codes` lists all of them. A code may be
/// added. It never changes, and is never removed.
package protocol MessageCode: RawRepresentable<String>, CaseIterable {
    /// One line, without the details of a case.
    var meaning: String { get }
}
