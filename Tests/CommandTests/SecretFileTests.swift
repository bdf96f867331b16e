import Glibc
import Testing

@testable import eosvault

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
        let words = Words(InputFile.Failure.notOwned(owner: 1000))
        #expect(words.message == "user id 1000 owns it and can modify it")
        #expect(words.code == .writableByOthers)
    }
}
