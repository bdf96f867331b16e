import Codecs

extension Trial {
    static let addCredential = ["credential", "add", "new", "--profile", "bitbank", "--key-id", "key-id"]

    static func request(_ name: String, _ url: String = "https://example.com/v1/items?a=b") -> [String] {
        ["credential", "sign", name, "--method", "GET", "--url", url]
    }

    /// Each command of `credential` that processes a secret, with success.
    static let credentials: [Trial] =
        ["add", "rotate"].flatMap { command -> [Trial] in
            let arguments = command == "add" ? addCredential : ["credential", command, "hook"]
            return [
                by("credential \(command) from a file", arguments + ["--secret-file", "secret"]) { _, watch in
                    watch.held = vaultKeys
                },
                by("credential \(command) from standard input", arguments + ["--secret-file", "-"]) {
                    fixture, watch in
                    (watch.input, watch.held) = (Array((fixture.newSecret + "\r\n").utf8), vaultKeys)
                },
                Trial(name: "credential \(command) at the terminal", arguments: arguments) { fixture, watch in
                    (watch.answers, watch.held) = ([.line(fixture.pin), .line(fixture.newSecret)], vaultKeys)
                },
            ]
        } + [
            by(
                "credential add of a secret in base64",
                addCredential + ["--secret-encoding", "base64", "--secret-file", "secret-base64"]
            ) { _, watch in watch.held = vaultKeys },
            by("credential rotate to a secret in hex", ["credential", "rotate", "hook"] + inHex) {
                fixture, watch in
                (watch.input, watch.held) = (
                    Array((Hex.encode(Array(fixture.newSecret.utf8)) + "\n").utf8), vaultKeys
                )
            },
            by(
                "credential export in base64",
                ["credential", "export", "hook", "--secret-encoding", "base64", "-o", "exported"]
            ) { _, watch in
                (watch.shown, watch.held) = ([.file("exported"): ["secret of hook"]], ["secret of hook"])
            },
            by("credential sign by HMAC-SHA-512", request("hook")) { _, watch in watch.held = vaultKeys },
            by("credential sign by HMAC-SHA-256, with a nonce", request("exchange")) { _, watch in
                watch.held = vaultKeys
            },
            by("credential sign by HMAC-SHA-1", request("game")) { _, watch in watch.held = vaultKeys },
            by("credential sign by a long secret", request("messages") + ["--format", "json"]) { _, watch in
                watch.held = vaultKeys
            },
            by(
                "credential sign of a body",
                [
                    "credential", "sign", "hook", "--method", "POST", "--url", "https://example.com/v1",
                    "--body",
                ]
                    + ["transfer.json", "--format", "curl", "--body-out", "body"]
            ) { _, watch in watch.held = vaultKeys },
            by("credential sign of a secret header", request("site") + ["--force"]) { _, watch in
                (watch.shown, watch.held) = (
                    [.output: ["secret of site"]], vaultKeys.union(["secret of site"])
                )
            },
            by(
                "credential sign of a secret header for curl",
                request("site") + ["--force", "--format", "curl"]
            ) {
                _, watch in
                (watch.shown, watch.held) = (
                    [.output: ["secret of site"]], vaultKeys.union(["secret of site"])
                )
            },
            by("credential sign of lines", ["credential", "sign", "exchange", "--lines"]) { _, watch in
                (watch.input, watch.held) = (lines, vaultKeys)
            },
            by(
                "credential sign of lines, a secret header",
                ["credential", "sign", "site", "--lines", "--force"]
            ) {
                _, watch in
                (watch.input, watch.shown) = (lines, [.output: ["secret of site"]])
                watch.held = vaultKeys.union(["secret of site"])
            },
            by("credential export into a file", ["credential", "export", "hook", "-o", "exported"]) {
                _, watch in
                (watch.shown, watch.held) = ([.file("exported"): ["secret of hook"]], ["secret of hook"])
            },
            by("credential export at a terminal", ["credential", "export", "messages"]) { _, watch in
                (watch.answers, watch.output, watch.shown, watch.held) = (
                    [], .terminal, [.terminal: ["secret of messages"]], ["secret of messages"]
                )
            },
            by("unencrypted credential export", ["credential", "export", "site", "--force"]) { _, watch in
                (watch.shown, watch.held) = ([.output: ["secret of site"]], ["secret of site"])
            },
            by("credential list --verify", ["credential", "list", "--verify"]),
            by("credential remove", ["credential", "remove", "hook", "--yes", "--never-backed-up"]) {
                _, watch in
                watch.held = vaultKeys
            },
        ]

    private static let inHex = ["--secret-encoding", "hex", "--secret-file", "-"]

    /// Requests of `credential sign --lines`.
    private static let lines = Array(
        """
        {"method":"GET","url":"https://example.com/v1/items"}
        {"id":"b","method":"GET","url":"https://example.com/v1/items?page=2"}

        """.utf8)
}
