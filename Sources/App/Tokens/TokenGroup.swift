import ArgumentParser
import Hardening
import JSON
import Keys
import Shell
import Tokens

struct TokenGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Use private keys in PKCS#11 tokens: HSMs, smart cards, USB tokens.",
        discussion: """
            A key in a token never enters the memory of this program. The vault has its public key and the URI of the \
            token (RFC 7512). `create --token` makes a key in a token, `import --token-key` adds one that exists, and \
            `sign` uses both as any key: with the same review, policies and log.

              eosvault token list --module /usr/lib/softhsm/libsofthsm2.so
              eosvault create --token 'pkcs11:token=treasury' --module /usr/lib/softhsm/libsofthsm2.so --curve R1

            The vendor's module runs in a separate program, eosvault-token, which never gets a key of the vault. It \
            must be in the folder of eosvault, which starts it: do not run it yourself.
            """,
        subcommands: [List.self])

    struct List: TokenCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Print the tokens of a module, and their public keys.",
            discussion: """
                Each key has its URI, for `import --token-key`. Without a PIN, a token shows only public objects. A \
                token that keeps its public keys private shows none.

                  eosvault token list --module /usr/lib/softhsm/libsofthsm2.so
                """)

        @OptionGroup var modules: ModuleOptions
        @OptionGroup var json: JSONOption
        @OptionGroup var sandbox: SandboxOption

        var mayUseTokens: Bool { true }
        var namedModules: [String] { modules.module }

        func validate() throws {
            if modules.module.isEmpty { throw ValidationError("give the module with --module") }
        }

        func run() throws {
            let program = try modules.connect()
            let listed = try modules.module.flatMap { path in
                var uri = TokenURI()
                uri.modulePath = path
                return try TokenSession.listed(uri, by: program)
            }
            if listed.isEmpty { Messages.note("no token is present") }
            try json.report(listed.map(\.text).joined(), json: Self.object.json(listed))
        }

        static let object = JSONObject<[ListedToken]>([
            .value("tokens", .list(of: ListedToken.shape), "the tokens that are present") {
                .array($0.map(\.json))
            }
        ])
    }
}

extension ListedToken {
    static let shape: JSONShape = [
        "uri": .text("its URI"), "label": .text("its label"), "serial": .text("its serial number"),
        "manufacturer": .text("who made it"), "model": .text("its model"),
        "initialised": .boolean("whether it has been set up"),
        "pin": .text("`none`, `ok`, `few-tries`, `last-try` or `locked`"),
        "signs": .boolean("whether it signs with CKM_ECDSA"),
        "makes_keys": .boolean("whether it makes keys of elliptic curves"),
        "keys": .list(
            of: ["uri": .text("its URI"), "public_key": .text("the key")], "its public keys of both curves"),
    ]

    var json: JSONValue {
        [
            "uri": .string(uri.text), "label": .string(token.label), "serial": .string(token.serial),
            "manufacturer": .string(token.manufacturer), "model": .string(token.model),
            "initialised": .boolean(token.isInitialised), "pin": .string(token.pinState),
            "signs": .boolean(token.signs), "makes_keys": .boolean(token.makesKeys),
            "keys": .array(
                keys.map { ["uri": .string($0.uri.text), "public_key": .string($0.publicKey.text)] }),
        ]
    }

    /// Lines for the token, then two for each key.
    var text: String {
        var rows = [
            ("token", Printable.line(token.label)), ("serial", Printable.line(token.serial)),
            ("device", Printable.line("\(token.manufacturer) \(token.model)")),
            ("uri", uri.text), ("pin", token.pinState), ("mechanisms", token.mechanisms),
        ]
        if !token.isInitialised { rows.append(("state", "not initialised")) }
        rows += keys.flatMap { [("key", $0.publicKey.text), ("key uri", $0.uri.text)] }
        return rows.map { $0.padded(to: 10) + "  " + $1 + "\n" }.joined() + "\n"
    }
}

extension TokenURI {
    /// The label and the serial number, for a line of text.
    var tokenName: String {
        let serial = serial.map { "serial " + $0 }
        return Printable.line([token, serial].compactMap(\.self).joined(separator: ", "))
    }
}

extension TokenFacts {
    var pinState: String {
        guard needsLogin else { return "none" }
        return switch tries {
        case .all: "ok"
        case .few: "few-tries"
        case .one: "last-try"
        case .locked: "locked"
        }
    }

    var mechanisms: String {
        let all = [signs ? "signs" : nil, makesKeys ? "makes keys" : nil].compactMap(\.self)
        return all.isEmpty ? "none" : all.joined(separator: ", ")
    }
}
