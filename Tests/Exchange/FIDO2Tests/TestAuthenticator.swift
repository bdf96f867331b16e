import CAuthenticator
import Files
import Glibc
import SecureMemory

@testable import FIDO2

/// A software authenticator with a folder for its state, which is removed at the end.
final class TestAuthenticator {
    let folder: String

    init() throws {
        var template = Array("/tmp/fido2-tests-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw FIDO2Error.unreadable(errno: errno) }
        folder = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit {
        unlink(folder + "/authenticator")
        rmdir(folder)
    }

    /// Starts the authenticator, as plugging it in does.
    /// - Parameter options: as on the command line of `with-authenticator`.
    func plug(_ options: String = "--pin 1234") throws -> Plug {
        var parsed = authenticator_options()
        // The strings stay for the thread.
        parsed.folder = UnsafePointer(strdup(folder))
        var words = options.split(separator: " ").map { strdup(String($0)) }[...]
        while let name = words.popFirst() {
            let used = authenticator_option(&parsed, name, words.first ?? nil)
            guard used > 0 else { throw FIDO2Error.unreadable(errno: EINVAL) }
            words = words.dropFirst(Int(used) - 1)
        }
        let number = authenticator_start(&parsed)
        guard number >= 0 else { throw FIDO2Error.unreadable(errno: errno) }
        return Plug(number)
    }
}

/// The descriptor of an authenticator. It is unplugged at the end.
final class Plug {
    let number: Int32
    var descriptor: FileDescriptor { FileDescriptor(number) }

    init(_ number: Int32) { self.number = number }
    deinit { close(number) }

    func device(milliseconds: Int = 20_000) throws -> FIDO2Device {
        try FIDO2Device(OpenFile(inherited: number), milliseconds: milliseconds)
    }
}

func pin(_ text: String) throws -> SecureBytes? { try SecureBytes(copyingPublic: text.utf8) }

/// The bytes of a secret of a test.
func bytes(_ secret: consuming SecureBytes?) -> [UInt8]? {
    guard let secret else { return nil }
    return secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } }
}
