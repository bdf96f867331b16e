import ArgumentParser
import Files
import Glibc

/// A folder for the files of one measurement. It is removed with its content at the end.
struct TemporaryFolder: ~Copyable {
    let path: String

    init() throws {
        let parent = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        var template = [CChar]("\(parent)/eosvault-bench-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else { throw ExitCode.failure }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Writes a new file.
    func write(_ bytes: [UInt8], to name: String) throws {
        try NewFile("\(path)/\(name)", holding: .publicData).write(bytes)
    }

    deinit {
        for name in (try? Folder.names(in: path)) ?? [] { unsafe unlink("\(path)/\(name)") }
        unsafe rmdir(path)
    }
}
