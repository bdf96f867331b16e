import Files
import Glibc

/// Everything outside of the process that a command uses: paths, sockets and inherited descriptors,
/// listed before it runs.
///
/// A path that does not exist grants nothing and is no error here: the code that opens the path
/// reports it.
package struct FileAccess: Equatable, Sendable {
    struct Grant: Equatable, Sendable {
        let path: String
        let use: Use
    }

    enum Use {
        case reading, readingBeneath, changing, keeping, making, makingFolders, removing, removingFolders,
            device,
            socket
    }

    private(set) var grants: [Grant] = []
    /// The inherited descriptors above 2. The standard streams always stay open.
    package private(set) var descriptors: Set<Int32> = []

    private init(_ path: String, _ use: Use) { grants = [Grant(path: path, use: use)] }

    private init(_ grants: [Grant], _ descriptors: Set<Int32>) {
        (self.grants, self.descriptors) = (grants, descriptors)
    }

    package static let none = FileAccess([], [])

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

    /// Files in a folder can be removed: the process made one there before the sandbox began.
    package static func removing(in folder: String) -> FileAccess { FileAccess(folder, .removing) }

    /// Empty folders can be removed.
    package static func removingFolders(in folder: String) -> FileAccess {
        FileAccess(folder, .removingFolders)
    }

    /// A character device, such as a terminal or a TPM: it is read, written and asked for its
    /// properties. Any other file at the path grants nothing. The profile limits the requests
    /// (ioctl).
    package static func device(_ path: String) -> FileAccess { FileAccess(path, .device) }

    /// A Unix socket. Landlock can't limit which one a process connects to, so it is connected when
    /// the sandbox begins, and the process can make no other connection. See `OpenSockets`. The
    /// program brings the function that connects: `eosvault` contains none.
    package static func socket(_ path: String) -> FileAccess { FileAccess(path, .socket) }

    /// A descriptor that the process inherited. The others are closed when the sandbox begins.
    package static func descriptor(_ number: Int32) -> FileAccess { FileAccess([], [number]) }

    /// The controlling terminal.
    package static let terminal = FileAccess.device("/dev/tty")

    /// SQLite reads the start values of journal checksums from it.
    package static let random = FileAccess("/dev/urandom", .reading)

    package static func + (_ one: FileAccess, _ other: FileAccess) -> FileAccess {
        FileAccess(one.grants + other.grants, one.descriptors.union(other.descriptors))
    }

    /// Makes what the process needs before it can open only this access: missing folders and the
    /// connections. Closes the descriptors that it does not name, so that the process can't use one
    /// that it inherited by mistake. An error is reported when the folder or the socket is used.
    /// - Parameter connect: connects to the Unix socket at a path.
    @discardableResult
    package func prepare(connecting connect: OpenSockets.Connect = OpenSockets.refuse) -> OpenSockets {
        for grant in grants where grant.use == .keeping { _ = try? Folder.create(grant.path) }
        OpenFile.closeAll(except: descriptors)
        return OpenSockets(grants.filter { $0.use == .socket }.map(\.path), connect)
    }
}

/// The sockets that were connected when the sandbox began. They stay open until the process ends.
package struct OpenSockets: Sendable {
    package typealias Connect = (String) throws(FileError) -> FileDescriptor

    /// For a program that makes no connections.
    package static let refuse: @Sendable (String) throws(FileError) -> FileDescriptor = {
        (_: String) throws(FileError) in throw .system(.open, errno: EOPNOTSUPP)
    }

    private let sockets: [String: Result<FileDescriptor, FileError>]

    fileprivate init(_ paths: [String], _ connect: Connect) {
        sockets = Dictionary(
            uniqueKeysWithValues: Set(paths).map { path in
                (path, Result { () throws(FileError) in try connect(path) })
            })
    }

    /// The connection to the socket at this path.
    /// - Throws: `system`; ENOENT for a path that the access did not name.
    package func connection(to path: String) throws(FileError) -> FileDescriptor {
        guard let socket = sockets[path] else { throw .system(.open, errno: ENOENT) }
        return try socket.get()
    }
}

extension FileAccess.Use {
    /// - Parameter status: of the file or folder at the path.
    func rights(to status: FileStatus) -> LandlockRights {
        guard self != .device || status.isCharacterDevice else { return [] }
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
        case .removing: [.removeFile]
        case .removingFolders: [.removeFolder]
        case .device: [.readFile, .writeFile]
        // It is open already.
        case .socket: []
        }
    }

    /// The program refuses to read a secret from a terminal that was given as a file. To recognise
    /// a terminal it needs ioctl.
    private var ofDevice: LandlockRights { .useDevice }
}
