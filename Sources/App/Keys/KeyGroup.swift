import ArgumentParser
import Codecs
import JSON
import Keys
import SecureMemory
import Shell

struct KeyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key", abstract: "Convert keys and signatures.", subcommands: [Convert.self])

    struct Convert: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert",
            abstract: "Print each text form of a public key or a signature on a line.",
            discussion: """
                A private key is read from standard input only. Its forms are printed unencrypted.

                  eosvault key convert EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV
                """)

        @Argument(help: "The text, or `-` for standard input.")
        var text: String

        @OptionGroup var common: CommonOptions

        func run() throws {
            guard text == "-" else { return try print(publicText: text) }
            let input = InputFile.standardInput
            let bytes = try placed(at: input.name) {
                try input.readSecret(atMost: Base58.maximumCount + 16, writable: .accepted)
            }
            // Public text has a known prefix. All other text stays in guarded memory.
            if let text = bytes.publicKeyText { return try print(publicText: text) }
            try print(PrivateKey.parse(bytes))
        }

        private func print(publicText text: String) throws {
            if text.hasPrefix("SIG_") {
                let signature = try converting({ KeyRefusal(error: $0, kind: .signature) }, Signature(text))
                try print([("signature", signature.text), ("binary", Hex.encode(signature.packed))])
            } else {
                let key = try PublicKey(text)
                let legacy = key.legacyText.map { [("legacy", $0)] } ?? []
                try print(
                    [("public_key", key.text), ("canonical", key.canonicalText)] + legacy + [
                        ("binary", Hex.encode(key.packed))
                    ])
            }
        }

        /// A key or a signature has some of these forms. Secrets are not in a `JSONValue`.
        static let shape: JSONShape = [
            "private_key?": .text("PVT_K1_… or PVT_R1_…, for a private key from standard input"),
            "wif?": .text("the WIF, for a private key of K1"),
            "public_key?": .text("the public key, as all commands print it"),
            "canonical?": .text("PUB_K1_…, PUB_R1_… or PUB_WA_…, for a public key"),
            "legacy?": .text("EOS…, for a public key of K1"), "signature?": .text("SIG_…, for a signature"),
            "binary?": .text("the bytes, in hex"),
        ]

        private func print(_ forms: [(name: String, text: String)]) throws {
            if json.isOn {
                try Output.json(JSONValue.object(forms.map { JSONMember($0.name, .string($0.text)) }))
            } else {
                try Output.data(
                    forms.filter { $0.name != "public_key" && $0.name != "binary" }.map { $0.text + "\n" }
                        .joined())
            }
        }

        /// Writes secrets directly from guarded memory, and the JSON text around them separately.
        private func print(_ key: borrowing PrivateKey) throws {
            let canonical = try key.exportPlaintext()
            try Output.data(json.isOn ? "{\"private_key\":\"" : "")
            try Output.secret(canonical)
            if let wif = try key.exportPlaintextWIF() {
                try Output.data(json.isOn ? "\",\"wif\":\"" : "\n")
                try Output.secret(wif)
            }
            let publicKey = key.publicKey.text
            try Output.data(json.isOn ? "\",\"public_key\":\"\(publicKey)\"}\n" : "\n\(publicKey)\n")
        }
    }
}

extension SecureBytes {
    /// The text, if it starts like a public key or a signature.
    fileprivate var publicKeyText: String? {
        withBytes { span in
            let isPublic = ["EOS", "PUB_", "SIG_", "FIO"].contains { span.starts(with: $0) }
            return isPublic
                ? String(decoding: (0..<span.byteCount).map { span[byte: $0] }, as: UTF8.self) : nil
        }
    }
}
