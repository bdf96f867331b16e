import Glibc

/// What a command touches of the file system by name: all of it, said before it runs.
///
/// What is open already (the standard streams, `--pin-fd`) is not part of it. A path that leads
/// nowhere gives nothing, and is no error here: whoever opens it is told.
package struct FileAccess: Equatable, Sendable {
    struct Grant: Equatable, Sendable {
        let path: String
        let use: Use
    }

    enum Use {
        case reading, readingBeneath, changing, keeping, making, makingFolders, removingFolders, device
    }

    private(set) var grants: [Grant]

    private init(_ path: String, _ use: Use) { grants = [Grant(path: path, use: use)] }

    private init(_ grants: [Grant]) { self.grants = grants }

    package static let none = FileAccess([])

    /// One file. Of a folder, which was named by mistake, the names in it can be read.
    package static func reading(_ path: String) -> FileAccess { FileAccess(path, .reading) }

    /// A file, or all in a folder and below it.
    package static func readingBeneath(_ path: String) -> FileAccess { FileAccess(path, .readingBeneath) }

    /// Files in a folder, read, written, made and removed: SQLite's with its journal.
    package static func changing(in folder: String) -> FileAccess { FileAccess(folder, .changing) }

    /// The same in a folder of the program's own, which is made where it is missing, with those
    /// above it, before the sandbox begins: in it the whole place that it is missing from would
    /// have to be open.
    package static func keeping(in folder: String) -> FileAccess { FileAccess(folder, .keeping) }

    /// A new file in a folder: it is written under another name, which may be removed, and the
    /// folder is synced. No file is read.
    package static func making(in folder: String) -> FileAccess { FileAccess(folder, .making) }

    /// Folders made below another, and removed while they are empty.
    package static func makingFolders(in folder: String) -> FileAccess { FileAccess(folder, .makingFolders) }

    /// Folders removed again that are empty.
    package static func removingFolders(in folder: String) -> FileAccess { FileAccess(folder, .removingFolders) }

    /// The controlling terminal.
    package static let terminal = FileAccess("/dev/tty", .device)

    /// What SQLite begins the checksums of a journal with.
    package static let random = FileAccess("/dev/urandom", .reading)

    package static func + (_ one: FileAccess, _ other: FileAccess) -> FileAccess {
        FileAccess(one.grants + other.grants)
    }

    package static func += (_ one: inout FileAccess, _ other: FileAccess) { one = one + other }
}

extension FileAccess.Use {
    /// - Parameter status: of what the path leads to.
    func rights(to status: stat) -> LandlockRights {
        let kind = status.st_mode & S_IFMT
        guard kind == S_IFDIR else { return ofFolder.intersection(.ofFile).union(kind == S_IFCHR ? ofDevice : []) }
        return self == .reading ? .readFolder : ofFolder
    }

    private var ofFolder: LandlockRights {
        switch self {
        case .reading: .readFile
        case .readingBeneath: [.readFile, .readFolder]
        case .changing, .keeping: [.readFile, .writeFile, .truncate, .makeFile, .removeFile, .readFolder]
        case .making: [.writeFile, .makeFile, .removeFile, .readFolder]
        case .makingFolders: [.makeFolder, .removeFolder, .readFolder]
        case .removingFolders: [.removeFolder]
        case .device: [.readFile, .writeFile]
        }
    }

    /// A secret is not read from a terminal that was named as a file, so that it must be known for
    /// one.
    private var ofDevice: LandlockRights { .useDevice }
}
