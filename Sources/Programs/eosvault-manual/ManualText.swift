/// The parts of the page of a program that the help does not have.
struct ManualText {
    let program: String
    let completion: String
    let files: [(name: String, text: String)]
    let variables: [(name: String, text: String)]
    /// Other pages to see.
    let related: [String]

    static let environment =
        "A secret is never read from an environment variable. A relative path in a variable is refused."

    private static func completion(_ program: String, _ words: String) -> String {
        "`make install` installs scripts for bash, zsh and fish. They complete \(words). "
            + "`\(program) --generate-completion-script SHELL` prints the script for a shell."
    }

    static let eosvault = ManualText(
        program: "eosvault",
        completion: completion(
            "eosvault",
            "commands, options, files, chains, and the labels and public keys of the vault, which are read without "
                + "a PIN and not verified"),
        files: vault, variables: usual, related: ["eosvault-agent"])

    static let agent = ManualText(
        program: "eosvault-agent",
        completion: completion("eosvault-agent", "commands, options, files and chains"),
        files: [
            (
                "$XDG_RUNTIME_DIR/eosvault/agent.sock",
                "The default socket. Its folder has the mode 700. The agent removes the socket when it ends."
            )
        ] + vault,
        variables: [
            ("XDG_RUNTIME_DIR", "The folder of the default socket; a session of your own sets it."),
            (
                "LISTEN_PID, LISTEN_FDS, NOTIFY_SOCKET",
                "The socket that systemd made, and where the agent reports that it is ready."
            ),
        ] + usual, related: ["eosvault"])

    private static let vault: [(name: String, text: String)] = [
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

    private static let usual: [(name: String, text: String)] = [
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
