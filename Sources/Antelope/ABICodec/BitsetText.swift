import Codecs
import JSON

/// The text of a bitset: `1` or `0` for each bit, highest index first. In bytes: the number of
/// bits, then eight bits per byte, lowest index in the lowest bit, and zeros after the last bit
/// (AntelopeIO/spring, release/2.0, libraries/libfc/include/fc/bitset.hpp).
enum BitsetText {
    /// - Throws: `.invalidBit`
    static func parse(_ text: Span<UInt8>, into writer: inout ByteWriter) throws(ABIError) {
        guard let count = UInt32(exactly: text.count) else { throw ABIError(.tooManyElements) }
        writer.write(varuint32: count)
        var end = text.count
        while end > 0 {
            let start = max(end - 8, 0)
            var byte: UInt8 = 0
            for offset in start..<end {
                let bit = text[offset] &- UInt8(ascii: "0")
                guard bit <= 1 else { throw ABIError(.invalidBit(offset: offset)) }
                byte = byte << 1 | bit
            }
            writer.write(byte: byte)
            end = start
        }
    }

    /// - Throws: `.unusedBits`
    static func write(_ bytes: Span<UInt8>, bits count: Int, to writer: inout JSONWriter) throws(ABIError) {
        let unused = 8 * bytes.count - count
        guard unused == 0 || bytes[bytes.count - 1] >> UInt8(8 - unused) == 0 else {
            throw ABIError(.unusedBits)
        }
        writer.write(quoted: { text in
            for index in stride(from: count - 1, through: 0, by: -1) {
                text.append(UInt8(ascii: "0") + (bytes[index / 8] >> UInt8(index % 8) & 1))
            }
        })
    }
}
