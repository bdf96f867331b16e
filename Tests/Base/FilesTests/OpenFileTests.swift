import Files
import Glibc
import TestSupport
import Testing

/// Reading, inspecting and listing.
struct OpenFileTests {
    let folder: TemporaryFolder
    private var path: String { folder.path + "/file" }

    init() throws {
        folder = try TemporaryFolder()
        try TestSupport.Files.write(Array(0..<100), to: path)
    }

    private func read(_ body: (FileDescriptor) throws(FileError) -> [UInt8]) throws -> [UInt8] {
        try OpenFile(path).withDescriptor(body)
    }

    @Test func readsPartsAndTheEnd() throws {
        #expect(try read { file throws(FileError) in try file.bytes(3, at: 10) } == [10, 11, 12])
        #expect(try read { file throws(FileError) in try file.bytes(8, at: 97) } == [97, 98, 99])
        #expect(try read { file throws(FileError) in try file.bytes(1, at: 100) } == [])
        #expect(try read { file throws(FileError) in try file.bytesToEnd(atMost: 100) } == Array(0..<100))
        #expect(try read { file throws(FileError) in try file.bytesToEnd(atMost: 9) }.count > 9)
        #expect(throws: FileError.system(.read, errno: EINVAL)) {
            try read { file throws(FileError) in try file.bytes(1, at: -1) }
        }
    }

    /// Only the range of the buffer changes.
    @Test func readsIntoAPartOfABuffer() throws {
        let bytes = try read { file throws(FileError) in
            var bytes = [UInt8](repeating: 255, count: 5)
            let count = try bytes.withMutableRawSpan { span throws(FileError) in
                try file.read(into: &span, in: 1..<3, at: 50)
            }
            return bytes + [UInt8(count)]
        }
        #expect(bytes == [255, 50, 51, 255, 255, 2])
    }

    @Test func aPipeDoesNotBlock() throws {
        mkfifo(folder.path + "/pipe", 0o600)
        #expect(try OpenFile(folder.path + "/pipe").withDescriptor { $0 }.number > 2)
        #expect(try FileStatus(of: folder.path + "/pipe").kind == .other)
    }

    @Test func refusesALinkOnRequest() throws {
        symlink("file", folder.path + "/link")
        #expect(throws: FileError.system(.open, errno: ELOOP)) {
            _ = try OpenFile(folder.path + "/link", followsLinks: false).withDescriptor { $0 }
        }
        #expect(try FileStatus(of: folder.path + "/link").kind == .symbolicLink)
        let target = try FileStatus(of: folder.path + "/link", followingLinks: true)
        #expect(try target == FileStatus(of: path))
        #expect(
            target.kind == .regular && target.size == 100 && target.mode == 0o600 && target.linkCount == 1)
        #expect(target.owner == geteuid() && !target.isCharacterDevice)
        #expect(try FilePath.resolved(folder.path + "/./link") == FilePath.resolved(path))
    }

    @Test func aDescriptorForInspectionReadsNothing() throws {
        let file = try OpenFile(inspecting: path)
        let status = try file.withDescriptor { file throws(FileError) in try file.status }
        #expect(try status == FileStatus(of: path))
        #expect(throws: FileError.system(.read, errno: EBADF)) {
            try file.withDescriptor { file throws(FileError) in try file.bytes(1, at: 0) }
        }
    }

    @Test func absentIsNoError() throws {
        #expect(try FileStatus.ifPresent(folder.path + "/none") == nil)
        #expect(try FileStatus.ifPresent(path + "/below") == nil)
        #expect(try FileStatus(of: "/dev/null").isCharacterDevice)
    }

    /// A slash that a combining character follows is still a slash.
    @Test(arguments: [("a/b", "a/"), ("b", "."), ("/b", "/"), ("a/\u{301}b", "a/")])
    func folderOfAPath(path: String, folder: String) { #expect(FilePath.folder(of: path) == folder) }

    // MARK: folders

    @Test func createsMissingFolders() throws {
        let deep = folder.path + "/a/b/c"
        #expect(try Folder.missing(from: deep).nearest == folder.path)
        let made = try Folder.create(deep, synced: true)
        #expect(made == ["/a", "/a/b", "/a/b/c"].map { folder.path + $0 })
        #expect(try FileStatus(of: deep).mode == 0o700)
        #expect(try Folder.create(deep) == [])
        #expect(try Folder.names(in: folder.path) == ["a", "file"])
        #expect(throws: FileError.system(.makeFolder, errno: ENOTDIR)) { try Folder.create(path + "/x") }
        #expect(throws: FileError.system(.open, errno: ENOTDIR)) { try Folder.names(in: path) }
        for path in made.reversed() { rmdir(path) }
    }

    @Test func anEmptyPathIsNoFolder() {
        #expect(throws: FileError.self) { try Folder.create("") }
    }
}
