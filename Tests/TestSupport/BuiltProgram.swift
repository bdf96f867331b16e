import Glibc

/// What the build made beside the tests.
public enum BuiltProgram {
    /// Where programs and tests stand.
    public static let folder: String = {
        var buffer = [UInt8](repeating: 0, count: 4096)
        let count = readlink("/proc/self/exe", &buffer, buffer.count)
        let tests = String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
        return String(tests[..<(tests.lastIndex(of: "/") ?? tests.startIndex)])
    }()

    /// The program under proof: EOSVAULT_PROGRAM, else the one that stands beside the tests.
    public static let underProof = getenv("EOSVAULT_PROGRAM").map { String(cString: $0) } ?? folder + "/eosvault"
}
