import Codecs
import Files
import Glibc
import Shell

/// The lines of an input that is read twice, in blocks. A block needs limited memory, and the
/// number of blocks is not limited.
package struct LineBlocks: ~Copyable {
    /// The most bytes of a line. A transaction of 512 KiB, the limit of most chains, is shorter in
    /// every form.
    package static let maximumLineSize = 2 << 20
    private static let blockSize = 8 << 20
    private static let maximumLineCount = 16_384

    struct Block {
        /// The lines and their line ends.
        let bytes: [UInt8]
        /// Each line without its LF or CRLF; nil for a line that is too long.
        let lines: [Range<Int>?]
        /// The number of the first line.
        let firstLine: Int

        var digest: [UInt8] { HashFunction.sha256.hash(bytes) }

        /// The bytes of a line, counted from 0.
        /// - Throws: `tooLong`, `empty`.
        func line(_ index: Int) throws(InputFile.Failure) -> [UInt8] {
            guard let range = lines[index] else { throw .tooLong(limit: LineBlocks.maximumLineSize) }
            guard !range.isEmpty else { throw .empty }
            return Array(bytes[range])
        }
    }

    /// Where a block begins.
    struct Place {
        fileprivate var offset: Int64 = 0
        /// The number of lines before it.
        fileprivate(set) var lineCount = 0
        /// True if the next bytes belong to a line that is too long, which was counted already.
        fileprivate var isSkipping = false
    }

    private let source: LineSource
    /// Where the next block begins.
    private(set) var place: Place
    private var hash = RunningHash(.sha256)

    init(_ source: LineSource, at place: Place = Place()) { (self.source, self.place) = (source, place) }

    /// The next block; nil at the end. The last line may lack its line end.
    mutating func next() throws(InputFile.Failure) -> Block? {
        var bytes = try source.bytes(Self.blockSize, at: place.offset)
        guard !bytes.isEmpty else { return nil }
        let isLast = bytes.count < Self.blockSize
        var lines: [Range<Int>?] = []
        var start = 0
        while start < bytes.count, lines.count < Self.maximumLineCount {
            let end = bytes.firstLineFeed(in: start..<bytes.count)
            // The rest is the beginning of a line of the next block.
            if end == nil, !isLast, start > 0 { break }
            if !place.isSkipping {
                lines.append(line(start..<(end ?? bytes.count), of: bytes, isWhole: end != nil || isLast))
            }
            place.isSkipping = end == nil && !isLast
            start = end.map { $0 + 1 } ?? bytes.count
        }
        bytes.removeLast(bytes.count - start)
        hash.add(bytes)
        place.offset += Int64(start)
        defer { place.lineCount += lines.count }
        return Block(bytes: bytes, lines: lines, firstLine: place.lineCount + 1)
    }

    /// The SHA-256 of all blocks that were read.
    consuming func sha256() -> [UInt8] { hash.digest() }

    private func line(_ range: Range<Int>, of bytes: [UInt8], isWhole: Bool) -> Range<Int>? {
        let hasReturn = !range.isEmpty && bytes[range.upperBound - 1] == UInt8(ascii: "\r")
        let line = range.lowerBound..<(range.upperBound - (hasReturn ? 1 : 0))
        return isWhole && line.count <= Self.maximumLineSize ? line : nil
    }
}

/// Bytes that can be read twice.
enum LineSource {
    /// A regular file, from this offset.
    case file(FileDescriptor, start: Int64)
    /// The content of a pipe.
    case memory([UInt8])

    init(_ file: FileDescriptor) throws(InputFile.Failure) {
        let start = lseek(file.number, 0, SEEK_CUR)
        if start >= 0, (try? file.status)?.kind == .regular {
            self = .file(file, start: Int64(start))
            return
        }
        let bytes: [UInt8]
        do { bytes = try file.bytesToEnd(atMost: InputFile.maximumSize) } catch {
            throw .unreadable(errno: error.number)
        }
        guard bytes.count <= InputFile.maximumSize else { throw .pipeTooLong(limit: InputFile.maximumSize) }
        self = .memory(bytes)
    }

    func bytes(_ count: Int, at offset: Int64) throws(InputFile.Failure) -> [UInt8] {
        switch self {
        case .file(let file, let start):
            do { return try file.bytes(count, at: start + offset) } catch {
                throw .unreadable(errno: error.number)
            }
        case .memory(let bytes):
            let start = min(Int(offset), bytes.count)
            return Array(bytes[start..<min(start + count, bytes.count)])
        }
    }
}
