import SecureMemory

/// The secret in a key file: 32 random bytes that a slot needs in addition to its PIN. The user
/// keeps the key file away from the vault.
package struct KeyFile: ~Copyable {
    /// Bytes.
    package static let count = 32

    let bytes: SecureBytes

    /// - Parameter bytes: the content of the whole file.
    /// - Throws: `keyFileLength`.
    package init(_ bytes: consuming SecureBytes) throws(VaultError) {
        guard bytes.count == Self.count else { throw .input(.keyFileLength(count: bytes.count)) }
        self.bytes = bytes
    }

    /// A new random secret.
    package static func random() throws(VaultError) -> KeyFile { try KeyFile(Sodium.randomKey()) }
}
