import Glibc
import Tokens

/// The path of a module. Anyone who can change the file, or a folder of its path, runs code with
/// the token's PIN.
enum ModulePath {
    enum Problem: Error {
        case relative
        case missing(errno: Int32)
        case writable(String)
        case notNamed(String)

        var code: UInt64 {
            switch self {
            case .relative: TokenProblemCode.relative
            case .missing: TokenProblemCode.missing
            case .writable: TokenProblemCode.writable
            case .notNamed: TokenProblemCode.notNamed
            }
        }

        var detail: String {
            switch self {
            case .relative: ""
            case .missing(let errno): "\(errno)"
            case .writable(let path), .notNamed(let path): path
            }
        }
    }

    /// The path without symbolic links. Only root and this user can change it.
    ///
    /// The program that sends requests has read files of others. If one of them took it over, it
    /// could write a module itself, so it must be named before, or belong to root.
    static func resolve(_ path: String, named: Set<[UInt8]>) throws(Problem) -> String {
        guard path.first == "/" else { throw .relative }
        guard let resolved = unsafe realpath(path, nil) else { throw .missing(errno: errno) }
        defer { unsafe free(resolved) }
        let text = unsafe String(cString: resolved)
        var part = ""
        let isNamed = named.contains(Array(path.utf8))
        try expectOwn("/", isNamed)
        for name in text.split(separator: "/") {
            part += "/\(name)"
            try expectOwn(part, isNamed)
        }
        return text
    }

    private static func expectOwn(_ path: String, _ isNamed: Bool) throws(Problem) {
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else { throw .missing(errno: errno) }
        // Others can add files to a sticky folder, but not replace those of root and this user.
        let isSticky = status.st_mode & S_IFMT == S_IFDIR && status.st_mode & S_ISVTX != 0
        let isOpen = status.st_mode & (S_IWGRP | S_IWOTH) != 0 && !isSticky
        guard !isOpen, status.st_uid == 0 || status.st_uid == geteuid() else { throw .writable(path) }
        guard status.st_uid == 0 || isNamed else { throw .notNamed(path) }
    }
}
