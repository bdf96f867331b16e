import ArgumentParser
import Files
import Glibc
import Hardening
import Shell

/// A device in options: the path of a character device, or `fd:N` for a descriptor that the program
/// inherited. It is never taken from the environment.
package struct DeviceName: Sendable, ExpressibleByArgument, CustomStringConvertible {
    /// The path of the first TPM on Linux, with a resource manager.
    package static let firstTPM = DeviceName(argument: "/dev/tpmrm0")
    /// The only authenticator that is plugged in.
    static let onlyAuthenticator = DeviceName(argument: "")

    private let text: String

    package init(argument: String) { text = argument }

    /// For the help.
    package var description: String { isDefaultAuthenticator ? "the only one" : text }

    package static let defaultCompletionKind = CompletionKind.file()

    var isDefaultAuthenticator: Bool { text.isEmpty }

    private var inherited: Int32? {
        let digits = text.dropFirst(3)
        guard text.hasPrefix("fd:"), digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int32(digits)
    }

    var isThere: Bool { unsafe access(text, F_OK) == 0 }

    package var fileAccess: FileAccess { inherited.map { .descriptor($0) } ?? .device(text) }

    /// The device in errors.
    var name: String { inherited.map { "file descriptor \($0)" } ?? Printable.line(text) }

    /// Refuses a text that names no device, such as the argument after an option without a value.
    /// - Parameter option: the name of the option.
    package func validate(_ option: String) throws {
        guard isDefaultAuthenticator || inherited != nil || text.hasPrefix("/") else {
            throw ValidationError(
                "\(option) \(Printable.excerpt(text)): a device is a path that begins with a slash, or fd:N; to use "
                    + "the default, give \(option) after the arguments")
        }
    }

    /// Opens the device for reading and writing. The caller adds the name to errors.
    func open() throws -> OpenFile {
        do throws(FileError) {
            if let inherited { return try OpenFile(inherited: inherited) }
            return try OpenFile(device: text)
        } catch { throw NoDevice(errno: error.number) }
    }
}

/// The device can't be opened.
private struct NoDevice: WordedError {
    let errno: Int32

    var words: Words {
        if errno == ENODEV { return Words(.noDevice, "not a device") }
        let isForbidden = errno == EACCES || errno == EPERM
        return Words(
            .noDevice, "can't be opened: \(systemMessage(errno))",
            hint: isForbidden
                ? "add your user to the group of the device, `tss` for a TPM, and log in again; an authenticator needs "
                    + "a udev rule: see docs/fido2.md" : nil)
    }
}
