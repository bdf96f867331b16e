import Glibc
import Shell
import Testing

@testable import App

/// Files with a secret are refused if other users can change them. Scripts/secret-files.txt tests
/// the messages.
struct SecretFileTests {
    @Test(arguments: [0o600, 0o400, 0o644, 0o755])
    func acceptsOwnFile(mode: UInt32) throws {
        try InputFile.refuseWritable(mode: mode, owner: 1000, user: 1000)
        try InputFile.refuseWritable(mode: mode, owner: 0, user: 1000)
        try InputFile.refuseWritable(mode: mode, owner: 0, user: 0)
    }

    @Test(arguments: [0o602, 0o620, 0o666, 0o1777])
    func refusesWritableFile(mode: UInt32) {
        #expect(throws: InputFile.Failure.writableByOthers(mode: mode)) {
            try InputFile.refuseWritable(mode: mode, owner: 1000, user: 1000)
        }
    }

    /// Another user who owns the file can change its mode.
    @Test(arguments: [0, 1001]) func refusesFileOfAnotherUser(user: UInt32) {
        #expect(throws: InputFile.Failure.notOwned(owner: 1000)) {
            try InputFile.refuseWritable(mode: 0o400, owner: 1000, user: user)
        }
        let words = InputFile.Failure.notOwned(owner: 1000).words
        #expect(words.message == "user id 1000 owns it and can modify it")
        #expect(words.code == .permissions)
    }

    @Test(arguments: [0o600, 0o400, 0o711])
    func ownFileIsNotReadByOthers(mode: UInt32) {
        #expect(!InputFile.isReadableByOthers(mode: mode, owner: 1000, group: 1000, user: 1000))
    }

    @Test(arguments: [0o440, 0o404, 0o644])
    func ownFileIsReadByOthers(mode: UInt32) {
        #expect(InputFile.isReadableByOthers(mode: mode, owner: 1000, group: 1000, user: 1000))
        #expect(InputFile.isReadableByOthers(mode: mode, owner: 0, group: 0, user: 0))
        #expect(InputFile.isReadableByOthers(mode: mode, owner: 0, group: 1000, user: 1000))
    }

    /// The two layouts of systemd's credentials (write_credential in src/core/exec-credential.c).
    @Test func credentialOfAServiceIsNotReadByOthers() {
        // ramfs: the service's user owns the file.
        #expect(!InputFile.isReadableByOthers(mode: 0o400, owner: 1000, group: 1000, user: 1000))
        // tmpfs: root owns the file, and an access control list names the user.
        #expect(!InputFile.isReadableByOthers(mode: 0o440, owner: 0, group: 0, user: 1000))
        #expect(InputFile.isReadableByOthers(mode: 0o444, owner: 0, group: 0, user: 1000))
    }
}
