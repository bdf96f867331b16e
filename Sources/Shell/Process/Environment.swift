import Glibc

/// The environment variables. The program never reads a secret from them.
package enum Environment {
    package static subscript(_ name: String) -> String? {
        unsafe getenv(name).map { unsafe String(cString: $0) }
    }
}
