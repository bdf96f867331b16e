import TestSupport

/// What a disk may hold after the power went, by the rules that SQLite is written for: what was
/// synced is there; of what was not, each write is there, is missing, or is torn between sectors,
/// whatever was written after it; a file that grew may have its new length and not its content; a
/// name made or taken away is so or is not yet, until the folder is synced.
struct PowerCut {
    static let sectorSize = 512

    private struct File {
        var synced: [UInt8] = []
        var pending: [Data] = []
    }

    private enum Data {
        case write(offset: Int, [UInt8])
        case truncate(count: Int)
    }

    private enum Name {
        case made(String, file: Int)
        case taken(String)
    }

    private var files: [File] = []
    /// As the disk has them, and as the program sees them.
    private var syncedNames: [String: Int] = [:]
    private var names: [String: Int] = [:]
    private var pendingNames: [Name] = []

    /// - Parameter contents: what the disk holds, all of it synced.
    init(contents: [String: [UInt8]]) {
        for (name, bytes) in contents {
            names[name] = files.count
            files.append(File(synced: bytes))
        }
        syncedNames = names
    }

    /// Lets a change happen, as the program sees it.
    mutating func apply(_ change: Disk.Change) {
        switch change {
        case .create(let name):
            names[name] = files.count
            pendingNames.append(.made(name, file: files.count))
            files.append(File())
        case .delete(let name):
            names[name] = nil
            pendingNames.append(.taken(name))
        case .syncFolder:
            syncedNames = names
            pendingNames = []
        case .write(let name, let offset, let bytes):
            if let file = names[name] { files[file].pending.append(.write(offset: offset, bytes)) }
        case .truncate(let name, let count):
            if let file = names[name] { files[file].pending.append(.truncate(count: count)) }
        case .sync(let name):
            guard let file = names[name] else { return }
            files[file].synced = Self.all(of: files[file])
            files[file].pending = []
        }
    }

    /// Whether everything lasts.
    var isSettled: Bool { pendingNames.isEmpty && names.values.allSatisfy { files[$0].pending.isEmpty } }

    // MARK: what may be left

    /// Nothing of what was not synced.
    func nothing() -> [String: [UInt8]] { syncedNames.mapValues { files[$0].synced } }

    /// All of it.
    func everything() -> [String: [UInt8]] { names.mapValues { Self.all(of: files[$0]) } }

    /// Some of it.
    func something(_ dice: inout SplitMix) -> [String: [UInt8]] {
        var left = syncedNames
        for name in pendingNames where Bool.random(using: &dice) {
            switch name {
            case .made(let name, let file): left[name] = file
            case .taken(let name): left[name] = nil
            }
        }
        var contents: [String: [UInt8]] = [:]
        for name in left.keys.sorted() { contents[name] = left[name].map { Self.some(of: files[$0], &dice) } }
        return contents
    }

    private static func all(of file: File) -> [UInt8] {
        var bytes = file.synced
        for data in file.pending {
            switch data {
            case .truncate(let count): resize(&bytes, to: count, with: 0)
            case .write(let offset, let piece):
                if bytes.count < offset + piece.count { resize(&bytes, to: offset + piece.count, with: 0) }
                bytes.replaceSubrange(offset..<(offset + piece.count), with: piece)
            }
        }
        return bytes
    }

    private static func some(of file: File, _ dice: inout SplitMix) -> [UInt8] {
        var counts = [file.synced.count]
        var pieces: [(offset: Int, bytes: ArraySlice<UInt8>)] = []
        for data in file.pending {
            switch data {
            case .truncate(let count): counts.append(count)
            case .write(let offset, let bytes):
                counts.append(max(counts[counts.count - 1], offset + bytes.count))
                pieces += kept(offset, bytes, &dice)
            }
        }
        var bytes = file.synced
        // Where a file grew and its content did not arrive: zeros, or what lay there before.
        let count = counts.randomElement(using: &dice) ?? 0
        resize(&bytes, to: count, with: Bool.random(using: &dice) ? 0 : UInt8.random(in: 1...255, using: &dice))
        for piece in pieces.shuffled(using: &dice) {
            let end = min(bytes.count, piece.offset + piece.bytes.count)
            if piece.offset < end {
                bytes.replaceSubrange(piece.offset..<end, with: piece.bytes.prefix(end - piece.offset))
            }
        }
        return bytes
    }

    /// What arrived of a write: nothing, all, or some of its sectors.
    private static func kept(_ offset: Int, _ bytes: [UInt8], _ dice: inout SplitMix) -> [(
        offset: Int, bytes: ArraySlice<UInt8>
    )] {
        let fate = Int.random(in: 0..<3, using: &dice)
        if fate == 0 { return [] }
        if fate == 1 { return [(offset, bytes[...])] }
        var pieces: [(offset: Int, bytes: ArraySlice<UInt8>)] = []
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sectorSize - (offset + start) % sectorSize)
            if Bool.random(using: &dice) { pieces.append((offset + start, bytes[start..<end])) }
            start = end
        }
        return pieces
    }

    private static func resize(_ bytes: inout [UInt8], to count: Int, with byte: UInt8) {
        if bytes.count > count { bytes.removeLast(bytes.count - count) }
        bytes += [UInt8](repeating: byte, count: count - bytes.count)
    }
}
