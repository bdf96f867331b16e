import JSON
import KeyVault
import Shell

extension BackupDescription {
    /// - Parameter what: `backup`, or `vault` for a restored one.
    func json(_ what: String, at path: String) -> JSONValue {
        [
            what: .string(path), "key_count": .number(keyCount), "credential_count": .number(credentialCount),
            "generation": .number(generation), "bytes": .number(size),
            "unused_rows": .number(unusedRowCount),
        ]
    }
}
