import Testing

@testable import Codecs

@Suite struct ByteWriterTests {
    /// Random sequences of writes give the same bytes as appending to an array.
    @Test func appends() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<300 {
            var (writer, expected) = (ByteWriter(), [UInt8]())
            for _ in 0..<Int.random(in: 0..<60, using: &generator) {
                let more = (0..<Int.random(in: 0..<70, using: &generator)).map { UInt8($0) }
                switch Int.random(in: 0..<7, using: &generator) {
                case 0:
                    writer.write(byte: 0xa5)
                    expected.append(0xa5)
                case 1:
                    writer.write(integer: 0x0807_0605_0403_0201 as UInt64)
                    expected += 1...8
                case 2:
                    writer.write(integer: -2 as Int16)
                    expected += [0xfe, 0xff]
                case 3:
                    writer.write(bytes: more)
                    expected += more
                case 4:
                    writer.write(bytes: more.span)
                    expected += more
                case 5:
                    writer.write(varuint32: 300)
                    expected += [0xac, 0x02]
                default:
                    writer.write(prefixed: more)
                    expected += [UInt8(more.count)] + more
                }
                #expect(writer.count == expected.count)
            }
            #expect(writer.bytes == expected)
        }
    }

    @Test(
        arguments: [
            (0, [0]), (127, [0x7f]), (128, [0x80, 0x01]), (16_384, [0x80, 0x80, 0x01]),
            (.max, [0xff, 0xff, 0xff, 0xff, 0x0f]),
        ] as [(UInt32, [UInt8])])
    func fillsCount(count: UInt32, encoded: [UInt8]) {
        for before in [0, 1, 62, 63, 64, 65] {
            for after in [0, 1, 2, 63, 64, 200] {
                var writer = ByteWriter()
                writer.write(bytes: Array(repeating: 1, count: before))
                let place = writer.reserveCount()
                writer.write(bytes: Array(repeating: 2, count: after))
                writer.fill(place, with: count)
                writer.write(byte: 3)
                let start = [UInt8](repeating: 1, count: before)
                let end = [UInt8](repeating: 2, count: after)
                #expect(writer.bytes == start + encoded + end + [3])
            }
        }
    }

    /// Otherwise each count would move more unused bytes.
    @Test func fillsWithoutGrowing() {
        var writer = ByteWriter()
        for _ in 0..<1_000 {
            writer.removeAll()
            for _ in 0..<5 {
                let place = writer.reserveCount()
                writer.write(byte: 7)
                writer.fill(place, with: 128)
            }
            #expect(writer.bytes == Array(repeatElement([0x80, 0x01, 7], count: 5).joined()))
        }
        #expect(writer.storage.count == 64)
    }

    /// A copy keeps its bytes. A reused writer returns none of its earlier bytes.
    @Test func copiesAndRemovesAll() {
        var writer = ByteWriter()
        writer.write(integer: UInt64.max)
        let copy = writer
        writer.removeAll()
        #expect(writer.bytes == [])
        writer.write(byte: 1)
        #expect((writer.bytes, writer.count) == ([1], 1))
        #expect(copy.bytes == Array(repeating: 0xff, count: 8))
    }
}
