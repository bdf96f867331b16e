/// The parts of eosvault(1) that the help does not have.
enum ManualText {
    static let files: [(name: String, text: String)] = [
        ("$XDG_DATA_HOME/eosvault/vault.db", "The default vault: an SQLite database. Its mode is 600."),
        (
            "$XDG_DATA_HOME/eosvault/vault.db-journal",
            "The journal of a change that is running or was interrupted. Never remove it and never copy the vault "
                + "without it: the next command completes or undoes the change."
        ),
        (
            "$XDG_STATE_HOME/eosvault/",
            "The newest state of each vault that this machine has seen. With it, an older copy of a vault is refused."
        ),
    ]

    static let completion = [
        "`make install` installs scripts for bash, zsh and fish. They complete commands, options, files, chains, and "
            + "the labels and public keys of the vault, which are read without a PIN and not verified. "
            + "`eosvault --generate-completion-script SHELL` prints the script for a shell."
    ]

    static let environment =
        "A secret is never read from an environment variable. A relative path in a variable is refused."

    static let variables: [(name: String, text: String)] = [
        ("HOME", "The home folder, for the defaults of the next two variables."),
        ("XDG_DATA_HOME", "The folder of user data; `$HOME/.local/share` by default."),
        ("XDG_STATE_HOME", "The folder of state files; `$HOME/.local/state` by default."),
        (
            "TERM",
            "If it is `dumb`, no progress is shown, and long reviews are shown in one piece instead of in pages."
        ),
        ("NO_COLOR", "If it is not empty, `doctor` prints no colours. QR codes stay black on white."),
        (
            "LD_PRELOAD, LD_AUDIT",
            "Code that these variables load can read every secret. The program warns if they are set."
        ),
    ]
}
