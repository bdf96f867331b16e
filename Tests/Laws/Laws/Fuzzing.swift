import Glibc

/// Connects the C interface of libFuzzer to the law that EOSVAULT_LAW names.
public enum Fuzzing {
    private static let law: any Law.Type = {
        let name = unsafe getenv("EOSVAULT_LAW").map { unsafe String(cString: $0) }
        if let law = allLaws.first(where: { $0.name == name }) { return law }
        guard name == nil else { end("EOSVAULT_LAW names no law") }
        for law in allLaws { print(law.name) }
        exit(EXIT_SUCCESS)
    }()

    /// Without `EOSVAULT_LAW`, prints the names of all laws and exits. If `EOSVAULT_SEEDS` names a
    /// folder, writes the seeds of the law into it and exits. Otherwise does nothing.
    public static func prepare() -> CInt {
        let law = law
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
    public static func run(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
        let input = unsafe [UInt8](UnsafeBufferPointer(start: start, count: count))
        do throws(LawBroken) { try law.check(input) } catch { end("\(law.name): broken: \(error)") }
        return 0
    }

    private static func write(_ bytes: [UInt8], to path: String) throws {
        let file = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { throw Vectors.Unreadable(path: path) }
        defer { close(file) }
        // A short write to a regular file means that the disk is full.
        guard unsafe Glibc.write(file, bytes, bytes.count) == bytes.count else {
            throw Vectors.Unreadable(path: path)
        }
    }

    private static func end(_ words: String) -> Never {
        let line = Array("\(words)\n".utf8)
        _ = unsafe Glibc.write(STDERR_FILENO, line, line.count)
        abort()
    }
}
