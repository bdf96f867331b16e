import Glibc

/// The environment variables. The program never reads a secret from them.
enum Environment {
    static subscript(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
