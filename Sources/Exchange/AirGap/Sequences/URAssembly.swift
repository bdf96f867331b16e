import Codecs

/// Collects the parts of one message.
///
/// Each part is one equation over GF(2) between fragments. Elimination keeps one part for each
/// fragment that was its lowest, so the message is complete as soon as any decoder can know it. The
/// memory is bounded by the limits of `URPart`.
package struct URAssembly: Sendable {
    /// Fragments that are mixed, and their exclusive or.
    private struct Row: Sendable {
        var indexes: [UInt64]
        var data: [UInt8]

        mutating func add(_ other: Row) {
            for word in indexes.indices { indexes[word] ^= other.indexes[word] }
            for offset in data.indices { data[offset] ^= other.data[offset] }
        }

        /// The lowest fragment at or after an index, nil if there is none.
        func lowest(from start: Int) -> Int? {
            var word = start / 64
            guard word < indexes.count else { return nil }
            var bits = indexes[word] & (UInt64.max << UInt64(start % 64))
            while bits == 0 {
                word += 1
                guard word < indexes.count else { return nil }
                bits = indexes[word]
            }
            return word * 64 + bits.trailingZeroBitCount
        }
    }

    package let header: URPart.Header
    private let chooser: FragmentChooser
    /// By the lowest fragment of each row.
    private var rows: [Row?]
    /// The number of fragments that are known or could be computed.
    package private(set) var rank = 0
    /// The parts that were added, with duplicates.
    package private(set) var received = 0

    package init(_ part: URPart) {
        header = part.header
        chooser = FragmentChooser(count: Int(part.count), checksum: part.header.checksum)
        rows = Array(repeating: nil, count: Int(part.count))
        add(part)
    }

    /// The number of parts that are needed at least.
    package var missing: Int { rows.count - rank }

    /// Adds a part, and returns the message when it is complete.
    /// - Throws: `otherMessage` for a part of another message, which changes nothing.
    ///   `damagedMessage` if all fragments are known and their checksum is wrong.
    package mutating func adding(_ part: URPart) throws(CodeSequenceError) -> UniformResource? {
        guard part.header == header else { throw .resource(.otherMessage) }
        if missing > 0 { add(part) }
        return try message()
    }

    /// The message, nil while parts are missing.
    /// - Throws: `damagedMessage`.
    package func message() throws(CodeSequenceError) -> UniformResource? {
        guard missing == 0 else { return nil }
        let bytes = fragments().flatMap(\.self)
        let cbor = Array(bytes.prefix(header.messageLength))
        guard CRC32.of(cbor) == header.checksum, bytes.dropFirst(cbor.count).allSatisfy({ $0 == 0 }) else {
            throw .resource(.damagedMessage)
        }
        return try UniformResource(type: header.type, cbor: cbor)
    }

    private mutating func add(_ part: URPart) {
        received += 1
        var row = Row(indexes: Array(repeating: 0, count: (rows.count + 63) / 64), data: part.data)
        for index in chooser.indexes(part.number) { row.indexes[index / 64] |= 1 << UInt64(index % 64) }
        var start = 0
        while let lowest = row.lowest(from: start) {
            guard let known = rows[lowest] else {
                rows[lowest] = row
                rank += 1
                return
            }
            row.add(known)
            start = lowest + 1
        }
    }

    /// The data of each fragment, from the last one: a row contains only later fragments.
    private func fragments() -> [[UInt8]] {
        var fragments = [[UInt8]](repeating: [], count: rows.count)
        for index in rows.indices.reversed() {
            guard var row = rows[index] else { continue }
            var next = index + 1
            while let later = row.lowest(from: next) {
                for offset in row.data.indices { row.data[offset] ^= fragments[later][offset] }
                next = later + 1
            }
            fragments[index] = row.data
        }
        return fragments
    }
}
