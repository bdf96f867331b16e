/// Divides a message into fragments, and makes its parts.
///
/// The sequence of parts has no end. A decoder needs any parts of it, a few more than there are
/// fragments.
package struct UREncoder: Sendable {
    /// Fragments that are shorter than this are not used, except for a message that is shorter.
    package static let minimumFragment = 10

    package let resource: UniformResource
    /// The bytes of each fragment.
    package let fragmentLength: Int
    /// The number of fragments. A message of one fragment is written as a whole.
    package let count: Int
    private let header: URPart.Header
    private let chooser: FragmentChooser

    /// - Parameter maximumFragment: the most bytes of a fragment, if the message is long enough.
    /// - Throws: `fragmentOutOfRange`, `tooManyFragments`.
    package init(
        _ resource: UniformResource, maximumFragment: Int, minimumFragment: Int = Self.minimumFragment
    ) throws(CodeSequenceError) {
        guard minimumFragment > 0, (minimumFragment...UniformResource.maximumLength).contains(maximumFragment)
        else {
            throw .resource(
                .fragmentOutOfRange(
                    maximumFragment, minimum: minimumFragment, limit: UniformResource.maximumLength))
        }
        let length = resource.cbor.count
        fragmentLength = Self.fragmentLength(length, minimum: minimumFragment, maximum: maximumFragment)
        count = (length + fragmentLength - 1) / fragmentLength
        guard count <= URPart.maximumCount else {
            throw .resource(.tooManyFragments(count, limit: URPart.maximumCount))
        }
        self.resource = resource
        header = URPart.Header(
            type: resource.type, count: UInt32(count), messageLength: length, checksum: resource.checksum,
            fragmentLength: fragmentLength)
        chooser = FragmentChooser(count: count, checksum: header.checksum)
    }

    /// The length of the fragments of a message: equal, as long as allowed (BCR-2024-001). They are
    /// the fewest of at most `maximum` bytes. A message of less than two times `minimum` bytes is
    /// one fragment, even if it is longer than `maximum`.
    /// - Parameters:
    ///   - messageLength, minimum: at least 1.
    ///   - maximum: at least `minimum`.
    package static func fragmentLength(_ messageLength: Int, minimum: Int, maximum: Int) -> Int {
        let most = max(1, messageLength / minimum)
        let count = min(most, (messageLength + maximum - 1) / maximum)
        return (messageLength + count - 1) / count
    }

    /// The part with this number, from 1. The first `count` parts are the fragments.
    package func part(_ number: UInt32) -> URPart {
        var data = [UInt8](repeating: 0, count: fragmentLength)
        for index in chooser.indexes(max(number, 1)) {
            let start = index * fragmentLength
            let fragment = resource.cbor[start..<min(start + fragmentLength, resource.cbor.count)]
            for (offset, byte) in fragment.enumerated() { data[offset] ^= byte }
        }
        return URPart(number: max(number, 1), header: header, data: data)
    }

    /// The text of the code with this number: the message as a whole, or a part of it.
    package func text(_ number: UInt32) -> String { count == 1 ? resource.text : part(number).text }
}
