extension Vault {
    /// Starts SQLite, libsodium and the libraries of the keys. Opening or making a vault does so,
    /// too; a program that reads a PIN or a key before calls this first, so that no library starts
    /// while a secret is in use.
    package static func startLibraries() {
        SQLiteConnection.start()
        // A failure here is an error of whatever opens or makes a vault.
        try? Sodium.start()
    }
}
