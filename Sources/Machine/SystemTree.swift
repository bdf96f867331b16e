import CShim
import Glibc

/// The files in which the system tells of itself, below a root.
package struct SystemTree: Sendable {
    private let root: String

    /// - Parameter root: a folder that holds `proc` and `sys`; a test's own, or the real one.
    package init(root: String = "/") { self.root = root.hasSuffix("/") ? String(root.dropLast()) : root }

    /// What one file may have at most; the rest is not read.
    private static let limit = 1 << 20

    /// The text of a file; nil where it can't be read.
    func text(_ path: String) -> String? {
        // A pipe, which only a test could put there, is not waited for.
        let descriptor = unsafe open(root + path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4096)
        while bytes.count < Self.limit {
            let count = unsafe read(descriptor, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The text of a file of one value, without the line feed at its end.
    func value(_ path: String) -> String? {
        guard let text = text(path) else { return nil }
        return String(text.prefix { !$0.isNewline })
    }

    func number(_ path: String) -> Int? { value(path).flatMap { Int($0) } }

    /// Yes and no, where a file has 1 and 0.
    func truth(_ path: String) -> Bool? {
        switch value(path) {
        case "1": true
        case "0": false
        default: nil
        }
    }

    /// The words of a file of one line, as `[platform] shutdown reboot`.
    func words(_ path: String) -> [Substring]? { value(path)?.split(separator: " ") }

    /// The names in a folder, in order; nil where it can't be read.
    func names(in path: String) -> [String]? {
        guard let folder = unsafe opendir(root + path) else { return nil }
        defer { unsafe closedir(folder) }
        var names: [String] = []
        while let entry = unsafe readdir(folder) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
                unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// A regular file, and the mount that it is seen in; nil where there is none, or the kernel
    /// does not tell.
    func file(_ path: String) -> machine_file? {
        var file = machine_file()
        return unsafe machine_look_at_file(root + path, &file) == 1 ? file : nil
    }

    func exists(_ path: String) -> Bool { unsafe access(root + path, F_OK) == 0 }
}
