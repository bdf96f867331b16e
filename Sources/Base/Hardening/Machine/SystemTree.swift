import Files
import Glibc

/// The files below a root in which the kernel and the system describe the machine.
package struct SystemTree: Sendable {
    private let root: String

    /// - Parameter root: a folder that contains `proc` and `sys`; a test uses its own.
    package init(root: String = "/") { self.root = root.hasSuffix("/") ? String(root.dropLast()) : root }

    /// The maximum number of bytes read from one file; the rest is ignored.
    private static let limit = 1 << 20

    /// The text of a file; nil where it can't be read.
    func text(_ path: String) -> String? {
        // A test could place a pipe here, and the program must not wait for it.
        guard let file = try? OpenFile(root + path),
            let bytes = try? file.withDescriptor({ file throws(FileError) in
                try file.bytesToEnd(atMost: Self.limit)
            })
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The first line of a file, which contains one value, without its line feed.
    func value(_ path: String) -> String? {
        text(path).map { String($0.prefix { !$0.isNewline }) }
    }

    func number(_ path: String) -> Int? { value(path).flatMap { Int($0) } }

    /// true for a file that contains 1, false for 0, nil for anything else.
    func truth(_ path: String) -> Bool? {
        switch value(path) {
        case "1": true
        case "0": false
        default: nil
        }
    }

    /// The words of a file that has one line, such as `[platform] shutdown reboot`.
    func words(_ path: String) -> [Substring]? { value(path)?.split(separator: " ") }

    /// The sorted names in a folder; nil where the folder can't be read.
    func names(in path: String) -> [String]? { try? Folder.names(in: root + path) }

    func exists(_ path: String) -> Bool { unsafe access(root + path, F_OK) == 0 }
}
