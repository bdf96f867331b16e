/// The process that requested a signature, if it is not the one that has the store open: a client
/// of an agent.
package struct Requester: Equatable, Sendable {
    /// The id of the user that the kernel states for the process.
    package let uid: UInt32
    /// The name of its program, which any process can choose: 1 to 255 bytes.
    package let program: String

    /// - Returns: nil for a name that a record can't hold.
    package init?(uid: UInt32, program: String) {
        guard (1...Int(UInt8.max)).contains(program.utf8.count) else { return nil }
        (self.uid, self.program) = (uid, program)
    }
}
