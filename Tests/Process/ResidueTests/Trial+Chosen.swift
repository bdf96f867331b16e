extension Trial {
    /// All trials in the long form, and those of `short` in the short form.
    static func chosen(from trials: [Trial]) -> [Trial] {
        Residue.isLong ? trials : trials.filter { short.contains($0.name) }
    }

    /// The trials of the short form: one for each path of a secret into the program, each use,
    /// each output and each kind of failure.
    static let short: Set<String> = [
        // A new vault: random keys, a key file, a phrase.
        "init at the terminal, with a key file and a phrase", "create",
        // A private key from the terminal, a file, standard input, and in each format of a list.
        "import at the terminal", "import of a file", "import of keosd's list",
        "import of lines from standard input",
        // Private keys of each curve sign; many lines; the PIN before the review.
        "sign by three keys", "sign lines by two keys", "sign at the terminal, the PIN first",
        "build with a label",
        // Each unlock method, old and new, from a file and from the terminal.
        "pin change at the terminal", "pin change by a key file and a PIN", "slot add of a key file",
        "slot add of a phrase", "create by the phrase, word by word",
        "create by the shown phrase, its last word mistyped at first", "rekey by the phrase",
        // A private key leaves: into a file, at a terminal, as another format.
        "export into a file", "export at a terminal", "key convert to JSON",
        // All rows are read, or written again.
        "check", "backup", "rescue", "log archive",
        // Secrets of credentials: added, used by each HMAC and in a header, exported.
        "credential add at the terminal", "credential rotate from standard input",
        "credential add of a secret in base64", "credential export in base64",
        "credential sign by HMAC-SHA-512",
        "credential sign by HMAC-SHA-1", "credential sign of lines",
        "credential sign of a secret header for curl",
        "credential export at a terminal",
        // Seeds: made, restored, derived from, split and joined.
        "seed create with dice", "seed restore of a file, with a search", "create of a seed's key",
        "rekey of a seed", "export of words at a terminal", "seed split", "seed join",
        "seed join with a passphrase, of a master secret",
        "seed restore of a wrong checksum", "seed join of a forged share",
        // Wallets of other programs, read and written.
        "import of keosd, the password typed", "import of eosc", "import of an encrypted key",
        "import of typed words with a passphrase", "export for keosd",
        "a wrong password of keosd", "a wrong password of eosc, typed",
        "a wrong password of an encrypted key",
        // The second unlock method of a policy.
        "export with a policy PIN, mistyped at first", "export with the phrase of a policy",
        // Wrong unlock methods, keys and secrets.
        "a wrong PIN at the terminal", "a key file of another length", "a phrase of a wrong checksum",
        "a phrase that is not confirmed", "import of a mistyped key at the terminal",
        "import of lines, some of them bad",
        "credential add of a secret with a space at the terminal",
        "credential sign of lines, some of them refused",
        // Full and read-only disks, output that is full or closed, a file that appears meanwhile.
        "import into a full disk", "credential sign with a vault that can't be written",
        "sign into a file that another process creates meanwhile", "sign with standard output closed",
        "export with standard output full",
        // Signals.
        "signal 2 after half a new PIN", "signal 15 after half a phrase", "signal 1 at the key after the PIN",
        // The last system call.
        "the last call of policy set, looser", "the last call of slot add of a key file",
        "the last call of rekey",
    ]
}
