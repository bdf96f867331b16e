import Files
import Glibc
import Messages
import TestSupport
import Testing

@testable import eosvault_agent

struct ConsentPathTests {
    private let folder: TemporaryFolder
    private var program: String { folder.path + "/inner/program" }

    init() throws {
        folder = try TemporaryFolder()
        mkdir(folder.path + "/inner", 0o755)
        close(open(program, O_WRONLY | O_CREAT | O_CLOEXEC, 0o755))
    }

    private func refusal(_ path: String? = nil) -> ConsentError? {
        do throws(ConsentError) { _ = try ConsentPath(path ?? program) } catch { return error }
        return nil
    }

    private func fault(_ path: String? = nil) -> ConsentError.PathFault? {
        guard case .program(let named, let fault) = refusal(path) else { return nil }
        #expect(named == path ?? program)
        return fault
    }

    /// The folder of temporary files has the sticky bit.
    @Test func aPrivateProgramIsAccepted() {
        #expect(refusal() == nil)
        #expect(refusal("/usr/bin/env") == nil)
    }

    @Test(arguments: ["program", "./program", "", "~/program", "/tmp/a\u{0}b"])
    func aPathIsAbsolute(_ path: String) {
        #expect(fault(path) == .notAbsolute)
        #expect(refusal(path)?.words.code == .invalidPath)
    }

    @Test func aPathHasNoLink() {
        symlink("inner", folder.path + "/link")
        for path in ["/link/program", "/inner/./program", "//inner/program", "/inner/../inner/program"] {
            #expect(fault(folder.path + path) == .linked(to: program))
        }
        #expect(refusal(folder.path + "/link/program")?.words.hint == "give \(program)")
    }

    @Test func onlyAProgramIsAccepted() {
        #expect(fault(folder.path + "/missing") == .system(errno: ENOENT))
        #expect(fault(folder.path + "/inner") == .notAFile)
        #expect(fault(program + "/x") == .system(errno: ENOTDIR))
        chmod(program, 0o644)
        #expect(fault() == .system(errno: EACCES))
    }

    @Test(arguments: [0o775, 0o757, 0o1777] as [UInt32])
    func aProgramThatOthersWriteIsRefused(mode: UInt32) {
        chmod(program, mode)
        #expect(fault() == .writable(program, mode: mode))
        #expect(refusal()?.words.code == .permissions)
    }

    @Test(arguments: [0o775, 0o757] as [UInt32])
    func aFolderThatOthersWriteIsRefused(mode: UInt32) {
        for place in [folder.path + "/inner", folder.path] {
            chmod(place, mode)
            #expect(fault() == .writable(place, mode: mode))
            chmod(place, 0o755)
        }
        chmod(folder.path, 0o1777)
        #expect(refusal() == nil)
    }

    /// Only root can give a file to another user.
    @Test func anotherOwnerIsRefused() throws {
        guard geteuid() == 0 else {
            #expect(refusal("/usr/bin/env") == nil)
            return
        }
        for place in [program, folder.path + "/inner"] {
            chown(place, 4242, 4242)
            #expect(fault() == .owned(place, by: 4242))
            chown(place, 0, 0)
        }
    }

    /// It is checked before each use.
    @Test func aLaterChangeIsFound() throws {
        let path = try ConsentPath(program)
        chmod(folder.path + "/inner", 0o777)
        #expect(throws: ConsentError.program(program, .writable(folder.path + "/inner", mode: 0o777))) {
            _ = try path.open()
        }
    }
}
