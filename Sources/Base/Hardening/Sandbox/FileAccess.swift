import Files

/// All paths that a command uses, listed before it runs.
///
/// Open descriptors (the standard streams, `--pin-fd`) are not part of it. A path that does not
/// exist grants nothing and is no error here: the code that opens the path reports it.
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

    /// One file. If the path is a folder by mistake, its names can be read.
    package static func reading(_ path: String) -> FileAccess { FileAccess(path, .reading) }

    /// A file, or everything in and below a folder.
    package static func readingBeneath(_ path: String) -> FileAccess { FileAccess(path, .readingBeneath) }

    /// Files in a folder can be read, written, created and removed: SQLite's database with its
    /// journal.
    package static func changing(in folder: String) -> FileAccess { FileAccess(folder, .changing) }

    /// Files in the program's own folder can be read, written, created and removed. A missing
    /// folder is created with its parents before the sandbox begins; otherwise the sandbox would
    /// have to allow access to the whole parent folder.
    package static func keeping(in folder: String) -> FileAccess { FileAccess(folder, .keeping) }

    /// A new file in a folder. It may be written under a temporary name and removed, and the folder
    /// is synced. No file can be read.
    package static func making(in folder: String) -> FileAccess { FileAccess(folder, .making) }

    /// Folders can be created below a folder, and removed while they are empty.
    package static func makingFolders(in folder: String) -> FileAccess { FileAccess(folder, .makingFolders) }

    /// Empty folders can be removed.
    package static func removingFolders(in folder: String) -> FileAccess { FileAccess(folder, .removingFolders) }

    /// The controlling terminal.
    package static let terminal = FileAccess("/dev/tty", .device)

    /// SQLite reads the start values of journal checksums from it.
    package static let random = FileAccess("/dev/urandom", .reading)

    package static func + (_ one: FileAccess, _ other: FileAccess) -> FileAccess {
        FileAccess(one.grants + other.grants)
    }
}

extension FileAccess.Use {
    /// - Parameter status: of the file or folder at the path.
    func rights(to status: FileStatus) -> LandlockRights {
        guard status.kind == .directory else {
            return ofFolder.intersection(.ofFile).union(status.isCharacterDevice ? ofDevice : [])
        }
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

    /// The program refuses to read a secret from a terminal that was given as a file. To recognise
    /// a terminal it needs ioctl.
    private var ofDevice: LandlockRights { .useDevice }
}
