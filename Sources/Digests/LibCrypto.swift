import CCrypto

/// Starts libcrypto without its configuration file: otherwise it would load and run what
/// OPENSSL_CONF names. All code of this package that calls libcrypto calls `start` first.
package enum LibCrypto {
    /// Without a handler at exit: the kernel frees the memory, and secrets are in memory of our
    /// own.
    private static let options =
        OPENSSL_INIT_NO_LOAD_CONFIG | OPENSSL_INIT_NO_ADD_ALL_CIPHERS | OPENSSL_INIT_NO_ATEXIT

    private static let started = OPENSSL_init_crypto(UInt64(options), nil) == 1

    package static func start() {
        // Failing here means that the library could not allocate at all; there is nothing to go on
        // with.
        precondition(started, "libcrypto does not start")
    }
}
