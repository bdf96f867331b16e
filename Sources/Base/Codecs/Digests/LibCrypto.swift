import CLibraries

/// Starts libcrypto without its configuration file. With it, libcrypto would load and run the code
/// that OPENSSL_CONF specifies. All code of this package that calls libcrypto calls `start` first.
public enum LibCrypto {
    /// No handler at exit is needed: the kernel frees the memory, and secrets are only in guarded
    /// memory.
    private static let options =
        OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ADD_ALL_CIPHERS | OPENSSL_INIT_NO_ATEXIT

    private static let started = OPENSSL_init_crypto(UInt64(options), nil) == 1

    public static func start() {
        // This fails only if the library can't allocate memory, and nothing works without the
        // library.
        precondition(started, "libcrypto does not start")
    }
}
