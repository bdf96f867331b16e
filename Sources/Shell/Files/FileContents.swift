/// The contents of input files. Each file is read once: it may be a pipe.
package struct FileContents {
    private var contents: [[UInt8]: [UInt8]] = [:]

    /// No contents: each file is read when its bytes are needed.
    package init() {}

    package init(of files: [InputFile]) throws {
        for file in files where contents[Array(file.path.utf8)] == nil {
            contents[Array(file.path.utf8)] = try Self.read(file)
        }
    }

    package func bytes(of file: InputFile) throws -> [UInt8] {
        try contents[Array(file.path.utf8)] ?? Self.read(file)
    }

    private static func read(_ file: InputFile) throws -> [UInt8] {
        try placed(at: file.name) { try file.read() }
    }
}
