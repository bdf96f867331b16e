import Glibc

/// The code shared by the fuzz targets: connects the C interface of libFuzzer to a law.
public enum Fuzzing {
    /// If `EOSVAULT_SEEDS` names a folder, writes the seeds into it and exits. Otherwise does
    /// nothing.
    public static func prepare(_ law: any Law.Type) -> CInt {
        guard let folder = unsafe getenv("EOSVAULT_SEEDS") else { return 0 }
        do {
            let folder = unsafe String(cString: folder)
            for (index, seed) in try law.seeds(Vectors.published.get()).enumerated() {
                try write(seed, to: "\(folder)/seed-\(index)")
            }
            exit(EXIT_SUCCESS)
        } catch { end("\(law.name): no seeds: \(error)") }
    }

    /// Runs one input, and aborts if it breaks the law.
    public static func run(_ law: any Law.Type, _ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
        do throws(LawBroken) { try law.check(input) } catch { end("\(law.name): broken: \(error)") }
        return 0
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { throw Vectors.Unreadable(path: path) }
        defer { close(file) }
        // A short write to a regular file means that the disk is full.
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else { throw Vectors.Unreadable(path: path) }
    }

    private static func end(_ words: String) -> Never {
        let line = Array("\(words)\n".utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, line, line.count)
        abort()
    }
}
