/// Why a text of a code, a message or an option is refused.
package enum CodeSequenceError: Error, Equatable, Sendable {
    /// Damage in CBOR. Offsets count bytes of the CBOR data.
    package enum CBOR: Equatable, Sendable {
        case truncated(offset: Int)
        case trailingBytes(offset: Int)
        /// A number or a length has a shorter form, or the length is indefinite. Deterministic CBOR
        /// (RFC 8949, 4.2.1) has one form of each value.
        case notDeterministic(offset: Int)
        /// The item has another type, or a value that is not allowed here.
        case unexpectedItem(offset: Int)
        /// An array, a map or a string is longer than its place allows.
        case tooLong(offset: Int, limit: Int)
    }

    package enum Bytewords: Equatable, Sendable {
        case oddLength(Int)
        case unknownWord(offset: Int)
        case tooShort
        case wrongChecksum
    }

    package enum Resource: Equatable, Sendable {
        /// The text does not have the form `ur:TYPE/BODY` or `ur:TYPE/NUMBER-COUNT/BODY`.
        case notUR
        /// Types consist of letters, digits and hyphens.
        case invalidType
        /// The numbers in front of the body are not two decimal numbers of 1 to 2^32 - 1.
        case invalidSequence
        /// The numbers in front of the body differ from the numbers inside.
        case sequenceMismatch
        /// The lengths in a part contradict each other.
        case inconsistentLengths
        case messageTooLong(Int, limit: Int)
        case tooManyFragments(Int, limit: Int)
        case emptyMessage
        /// A fragment has at least `minimum` bytes.
        case fragmentOutOfRange(Int, minimum: Int, limit: Int)
        /// The part belongs to another message.
        case otherMessage
        /// All parts are known, and the checksum of the message differs.
        case damagedMessage
    }

    case cbor(CBOR)
    case bytewords(Bytewords)
    case resource(Resource)
}
