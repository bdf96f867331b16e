import CCrypto

/// Starts libcrypto without its configuration file: what OPENSSL_CONF names would otherwise be loaded and run. Everything
/// in this package that calls libcrypto comes through here first.
public enum LibCrypto {
    private static let started: Bool =
        OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ADD_ALL_CIPHERS), nil) == 1

    public static func start() {
        // Failing here means that the library could not allocate at all; there is nothing to go on with.
        precondition(started, "libcrypto does not start")
    }
}
