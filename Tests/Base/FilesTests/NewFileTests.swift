import Glibc
import TestSupport
import Testing

@testable import Files

/// New files are complete or absent with each naming method that a file system may support.
struct NewFileTests {
    let folder: TemporaryFolder
    private var path: String { folder.path + "/new" }
    private let bytes = [UInt8](repeating: 7, count: 100_000)

    init() throws { folder = try TemporaryFolder() }

    private func names() -> [String] { TestSupport.Files.names(in: folder.path) }

    @Test(arguments: NewFile.Naming.allCases)
    func writesAFile(by naming: NewFile.Naming) throws {
        let made = try NewFile(path, holding: .publicData, naming: naming).write(bytes)
        #expect(made.isDurable && !made.isOpenToOthers && made.mode == 0o600)
        #expect(try TestSupport.Files.read(path) == bytes)
        #expect(names() == ["new"])
        // A second file does not replace it.
        #expect(throws: FileError.exists) {
            try NewFile(path, holding: .publicData, naming: naming).write([1])
        }
        #expect(try TestSupport.Files.read(path) == bytes)
        #expect(names() == ["new"])
    }

    @Test(arguments: NewFile.Naming.allCases)
    func followsNoLink(by naming: NewFile.Naming) throws {
        symlink(folder.path + "/elsewhere", path)
        #expect(throws: FileError.exists) { try NewFile(path, holding: .publicData) }
        #expect(throws: FileError.exists) {
            try NewFile(path, holding: .publicData, naming: naming).write([1])
        }
        #expect(names() == ["new"])
    }

    /// A temporary file that a crash leaves would be hidden.
    @Test func aSecretHasNoTemporaryName() {
        #expect(NewFile.Naming.allCases.filter { $0.suits(.secret) } == [.linkingUnnamed, .inPlace])
    }

    @Test(arguments: [NewFile.Content.secret, .publicData])
    func theNamingTestLeavesNoFile(_ content: NewFile.Content) throws {
        let file = try NewFile(path, holding: content)
        #expect(names().isEmpty)
        try file.write(bytes)
        #expect(names() == ["new"])
    }

    @Test func refusesAMissingFolder() {
        #expect(throws: FileError.system(.create, errno: ENOENT)) {
            try NewFile(folder.path + "/missing/new", holding: .secret)
        }
        #expect(throws: FileError.exists) { try NewFile(folder.path, holding: .secret) }
    }

    /// For root the folder looks writable, but no file can be created there. The initialiser must
    /// detect this, because it runs before anything is signed.
    @Test(arguments: [NewFile.Content.secret, .publicData])
    func refusesAFolderWhereNoFileCanBeCreated(_ content: NewFile.Content) {
        #expect(throws: FileError.system(.create, errno: geteuid() == 0 ? ENOENT : EACCES)) {
            try NewFile("/proc/eosvault-test", holding: content)
        }
    }

    // MARK: failures

    /// Runs in a separate process whose files may have at most 10 bytes.
    private static func writeTooMuch(by naming: NewFile.Naming) throws -> (error: FileError?, names: [String])
    {
        let folder = try TemporaryFolder()
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: 10, rlim_max: 10)
        guard setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0 else { return (nil, []) }
        let file = NewFile(folder.path + "/new", holding: .publicData, naming: naming)
        var failure: FileError?
        do throws(FileError) { try file.write([UInt8](repeating: 7, count: 100)) } catch { failure = error }
        return (failure, TestSupport.Files.names(in: folder.path))
    }

    @Test func aFailureLeavesNoFile() async {
        await #expect(processExitsWith: .success) {
            for naming in [NewFile.Naming.linkingUnnamed, .renaming, .linking] {
                let (error, names) = try Self.writeTooMuch(by: naming)
                guard error == .system(.write, errno: EFBIG), names.isEmpty else { exit(1) }
            }
        }
    }

    @Test func aFailedFileInPlaceIsReportedAsIncompleteAndRemoved() async {
        await #expect(processExitsWith: .success) {
            let (error, names) = try Self.writeTooMuch(by: .inPlace)
            guard error == .incomplete(errno: EFBIG, isRemoved: true), names.isEmpty else { exit(1) }
        }
    }

    /// Another process moved the file while it was written, and created a new file with its name.
    @Test func aForeignFileOfTheSameNameIsNotRemoved() throws {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        defer { close(descriptor) }
        rename(path, folder.path + "/moved")
        #expect(
            NewFile.abandoned(FileDescriptor(descriptor), at: path, errno: EIO)
                == .incomplete(errno: EIO, isRemoved: false))
        try TestSupport.Files.write([1], to: path)
        #expect(
            NewFile.abandoned(FileDescriptor(descriptor), at: path, errno: EIO)
                == .incomplete(errno: EIO, isRemoved: false))
        #expect(names() == ["moved", "new"])
    }

    @Test func removeRemovesOnlyTheMadeFile() throws {
        let made = try NewFile(path, holding: .publicData).write(bytes)
        rename(path, folder.path + "/moved")
        try TestSupport.Files.write([1], to: path)
        #expect(!made.remove())
        #expect(names() == ["moved", "new"])
        rename(folder.path + "/moved", path)
        #expect(made.remove())
        #expect(names().isEmpty)
        #expect(!made.remove())
    }

    // MARK: signals and replacement

    /// Test threads block signals, and the parent process may ignore SIGTERM.
    private static func admitSignals() {
        signal(SIGTERM, SIG_DFL)
        var none = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, nil)
    }

    @Test func signalsWait() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            Self.admitSignals()
            HeldSignals.during { () in HeldSignals.during { () in _ = raise(SIGTERM) } }
            exit(3)
        }
        await #expect(processExitsWith: .exitCode(4)) {
            Self.admitSignals()
            HeldSignals.during { () in
                // The end of the inner call does not deliver signals that the outer call delays.
                HeldSignals.during { () in _ = raise(SIGTERM) }
                exit(4)
            }
        }
    }

    @Test func newContentReplacesTheOld() throws {
        try TestSupport.Files.write([1, 2, 3], to: path)
        try ReplacementFile(path).write([4])
        #expect(try TestSupport.Files.read(path) == [4])
        #expect(names() == ["new"])
        mkdir(folder.path + "/folder", 0o700)
        mkdir(folder.path + "/folder/full", 0o700)
        #expect(throws: FileError.system(.rename, errno: EISDIR)) {
            try ReplacementFile(folder.path + "/folder").write([4])
        }
        #expect(names() == ["folder", "new"])
    }
}
