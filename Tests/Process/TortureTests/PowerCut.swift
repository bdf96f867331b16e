import TestSupport

/// The possible contents of a disk after a power loss, by the assumptions of SQLite. Synced data is
/// present. Each unsynced write is present, missing, or torn between sectors, regardless of later
/// writes. A file that grew may have its new length without its new content. A created or removed
/// name may be present or absent until the folder is synced.
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
    /// The names on the disk, and the names that the program sees.
    private var syncedNames: [String: Int] = [:]
    private var names: [String: Int] = [:]
    private var pendingNames: [Name] = []

    /// - Parameter contents: the initial files, all synced.
    init(contents: [String: [UInt8]]) {
        for (name, bytes) in contents {
            names[name] = files.count
            files.append(File(synced: bytes))
        }
        syncedNames = names
    }

    /// Applies a change as the program sees it.
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

    /// Whether everything is synced.
    var isSettled: Bool { pendingNames.isEmpty && names.values.allSatisfy { files[$0].pending.isEmpty } }

    // MARK: possible contents

    /// The contents with none of the unsynced changes.
    func nothing() -> [String: [UInt8]] { syncedNames.mapValues { files[$0].synced } }

    /// The contents with all unsynced changes.
    func everything() -> [String: [UInt8]] { names.mapValues { Self.all(of: files[$0]) } }

    /// The contents with a random part of the unsynced changes.
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
        // The new part of a grown file whose content was not written: zeros, or old data.
        let count = counts.randomElement(using: &dice) ?? 0
        resize(
            &bytes, to: count, with: Bool.random(using: &dice) ? 0 : UInt8.random(in: 1...255, using: &dice))
        for piece in pieces.shuffled(using: &dice) {
            let end = min(bytes.count, piece.offset + piece.bytes.count)
            if piece.offset < end {
                bytes.replaceSubrange(piece.offset..<end, with: piece.bytes.prefix(end - piece.offset))
            }
        }
        return bytes
    }

    /// The parts of a write that reached the disk: none, all, or some of its sectors.
    private static func kept(_ offset: Int, _ bytes: [UInt8], _ dice: inout SplitMix) -> [(
        offset: Int, bytes: ArraySlice<UInt8>
    )] {
        let outcome = Int.random(in: 0..<3, using: &dice)
        if outcome == 0 { return [] }
        if outcome == 1 { return [(offset, bytes[...])] }
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
