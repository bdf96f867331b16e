import Codecs

/// Collects the parts of one BBQr message. A message has no checksum: the codes themselves detect
/// damage.
package struct BBQrAssembly: Sendable {
    /// The most bytes of a message, compressed or not.
    package static let maximumLength = 1 << 20

    package let header: BBQrPart.Header
    private var bodies: [[UInt8]?]

    package init(_ part: BBQrPart) {
        header = part.header
        bodies = Array(repeating: nil, count: part.header.count)
        bodies[part.index] = part.body
    }

    /// The number of parts that were added, without repetitions.
    package var known: Int { bodies.count - missing }

    /// The number of parts that are needed.
    package var missing: Int { bodies.count { $0 == nil } }

    /// - Throws: `otherMessage`, `conflictingPart`. The part then changes nothing.
    package mutating func add(_ part: BBQrPart) throws(CodeSequenceError) {
        guard part.header == header else { throw .bbqr(.otherMessage) }
        guard bodies[part.index] == nil || bodies[part.index] == part.body else {
            throw .bbqr(.conflictingPart(part.index))
        }
        bodies[part.index] = part.body
    }

    /// The message, nil while parts are missing.
    /// - Throws: `unequalParts`, `messageTooLong`, `invalidDeflate`.
    package func message() throws(CodeSequenceError) -> [UInt8]? {
        let bodies = bodies.compactMap(\.self)
        guard let first = bodies.first, let last = bodies.last, bodies.count == header.count else { return nil }
        guard bodies.dropLast().allSatisfy({ $0.count == first.count }), last.count <= first.count else {
            throw .bbqr(.unequalParts)
        }
        let characters = bodies.reduce(0) { $0 + $1.count }
        guard characters <= header.encoding.encodedCount(Self.maximumLength) else {
            throw .bbqr(.messageTooLong(limit: Self.maximumLength))
        }
        var bytes: [UInt8] = []
        for body in bodies { bytes += try header.encoding.decode(body) }
        guard header.encoding == .compressed else { return bytes }
        do throws(InflateError) {
            return try Deflate.inflate(bytes, .rawSmallWindow, limit: Self.maximumLength)
        } catch {
            switch error {
            case .tooLong(let limit): throw .bbqr(.messageTooLong(limit: limit))
            case .invalid, .trailingBytes: throw .bbqr(.invalidDeflate)
            }
        }
    }
}
