import KeyVault

/// What a file is to a command, where it is not the vault that is opened: another thing is to be
/// done next then.
enum VaultFileUse {
    /// The vault that init or restore makes.
    case newVault
    /// The vault that rescue makes.
    case rescuedVault
    case newBackup
    /// The copy that restore reads.
    case backup
    /// The file that rescue reads.
    case damagedVault

    /// The error's words, by what the file is.
    func words(of error: VaultError) -> Words {
        let words = Words(error)
        return switch error {
        case .noSuchFile where self == .newBackup:
            Words("no-such-file", "its folder is missing", hint: "make the folder first, or name another file")
        case .noSuchFile, .notAVault: Words(words.code, words.message, hint: name)
        case .alreadyExists: Words(words.code, words.message, hint: "nothing is overwritten; \(name)")
        case .notARegularFile(_, .directory), .notARegularFile(_, .other): Words(words.code, words.message, hint: name)
        case .diskFull:
            Words(
                "disk-full", "the disk is full; no \(self == .newBackup ? "backup" : "vault") was made",
                hint: "free some space and try again")
        case .commitUncertain:
            Words(
                words.code, "the file was written, but its folder could not be synced: a power cut may undo it",
                hint: "look with `eosvault check --vault FILE` whether it is there and whole, and see to the disk")
        case _ where words.hint == Words.restoreHint: Words(words.code, words.message, hint: cure)
        default: words
        }
    }

    /// Which file to name.
    private var name: String {
        switch self {
        case .newVault: "name another file with --vault"
        case .rescuedVault: "name another file with --output"
        case .newBackup: "name another file"
        case .backup: "name a file that `eosvault backup` made"
        case .damagedVault: "name the file of the damaged vault"
        }
    }

    /// What to do about damage.
    private var cure: String {
        switch self {
        case .backup: "no vault was made; restore another backup, or see what `eosvault rescue` takes out of this one"
        case .newVault, .rescuedVault, .newBackup, .damagedVault:
            "no vault was made; restore a backup with `eosvault restore`"
        }
    }
}
