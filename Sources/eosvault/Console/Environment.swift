import Glibc

/// The environment, of which little is used and nothing secret.
enum Environment {
    static subscript(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
