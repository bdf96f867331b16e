import KeyVault
import Shell

/// A backup or a restored vault, and the path of its file.
struct MadeCopy {
    let path: String
    let copy: BackupDescription

    /// - Parameter what: The member with the path.
    private static func object(_ what: String) -> JSONObject<MadeCopy> {
        JSONObject([
            .text(what, "the path of the new file") { $0.path },
            .number("key_count", "its keys") { $0.copy.keyCount },
            .number("credential_count", "its credentials") { $0.copy.credentialCount },
            .number("generation", "the number of changes of the vault") { $0.copy.generation },
            .number("bytes", "the size of the file") { $0.copy.size },
            .number(
                "unused_rows",
                "the rows in unused bytes of the source that its vault did not write; they were not copied"
            ) { $0.copy.unusedRowCount },
        ])
    }

    static let backup = object("backup")
    static let restored = object("vault").adding([
        .number("limits_used_up", "the keys whose rolling limits count as used up") { $0.copy.usedUp?.keyCount ?? 0 }
    ])
}
