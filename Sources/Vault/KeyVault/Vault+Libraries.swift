extension Vault {
    /// Starts SQLite, libsodium and the libraries of the keys. Unlocking or making a vault does
    /// this too. A program that reads a PIN or a key earlier calls this first, so that no library
    /// starts while a secret is in use.
    package static func startLibraries() {
        SQLiteConnection.start()
        // A failure is reported when a vault is opened or made.
        try? Sodium.start()
    }
}
