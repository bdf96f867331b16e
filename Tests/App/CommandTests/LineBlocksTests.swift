import Codecs
import Shell
import Testing

@testable import App

/// The lines of a file that is read twice.
struct LineBlocksTests {
    /// The lines of all blocks; nil for one that is too long.
    private func lines(_ bytes: [UInt8]) throws -> (lines: [[UInt8]?], blockCount: Int) {
        var blocks = LineBlocks(.memory(bytes))
        var (lines, count): ([[UInt8]?], Int) = ([], 0)
        var joined: [UInt8] = []
        while let block = try blocks.next() {
            #expect(block.firstLine == lines.count + 1)
            #expect(block.digest == HashFunction.sha256.hash(block.bytes))
            lines += block.lines.map { $0.map { Array(block.bytes[$0]) } }
            joined += block.bytes
            count += 1
        }
        #expect(joined == bytes)
        #expect(blocks.sha256() == HashFunction.sha256.hash(bytes))
        return (lines, count)
    }

    @Test func splitsAtBothLineEnds() throws {
        let found = try lines(Array("one\r\n\ntwo\r\r\nthree".utf8)).lines
        #expect(
            found.map { $0.map { String(decoding: $0, as: UTF8.self) } } == ["one", "", "two\r", "three"])
        #expect(try lines([]).lines.isEmpty)
        #expect(try lines([10]).lines == [[]])
    }

    /// Lines around each limit: of a line, of the lines of a block, of the bytes of a block.
    @Test func longLinesAreSkipped() throws {
        let limit = LineBlocks.maximumLineSize
        for (count, isKept) in [
            (limit - 1, true), (limit, true), (limit + 1, false), (4 * limit - 6, false), (4 * limit, false),
            (4 * limit + 1, false), (9 * limit, false),
        ] {
            let long = [UInt8](repeating: 0x61, count: count)
            for end in [[10], [], [13, 10]] as [[UInt8]] {
                let text = Array("first\n".utf8) + long + end + (end.isEmpty ? [] : Array("last".utf8))
                let found = try lines(text).lines
                #expect(found.count == (end.isEmpty ? 2 : 3))
                #expect(found[0] == Array("first".utf8) && found[1] == (isKept ? long : nil))
                if !end.isEmpty { #expect(found[2] == Array("last".utf8)) }
            }
        }
    }

    @Test func blocksHaveAtMost16384Lines() throws {
        let text = (1...40_000).flatMap { Array("\($0)\n".utf8) }
        let found = try lines(text)
        #expect(found.blockCount == 3)
        #expect(found.lines == (1...40_000).map { Array("\($0)".utf8) })
    }
}
