/// Why a message is refused.
package enum AirGapError: Error, Equatable, Sendable {
    /// The CBOR data is malformed, or the message is too long.
    case sequence(CodeSequenceError)
    /// This version has no such type of message.
    case unknownType(String)
    /// The message has a later version, or a member that its type does not have.
    case unknownMember(UInt64)
    case missingMember(UInt64)
    /// The members of a map are not in ascending order, or one is there twice.
    case memberOrder(UInt64)
    /// The value of a member is not of its type: a chain id, a key, a signature, an account name.
    case invalidValue(member: UInt64)
    case file(FileRefusal)
    /// The packed transaction or its context-free data can't be decoded.
    case transaction
}
