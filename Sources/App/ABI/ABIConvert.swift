import ABICodec
import ArgumentParser
import Codecs
import Hardening
import JSON
import Shell

extension ABIGroup {
    struct Convert: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert",
            abstract: "Convert an ABI between JSON and the raw form that chains store.",
            discussion: """
                The raw form is the argument of set_abi and the result of get_raw_abi. Its SHA-256 is the abi_hash \
                that identifies the ABI on chain. JSON is packed as cleos packs it today; an older raw form of the \
                same JSON can differ. Without --format, JSON is converted to hex, and a raw form to JSON. The input \
                can also be the complete response of a node to get_abi or get_raw_abi.

                  eosvault abi convert token.abi.json
                  eosvault abi convert token.abi.json --format sha256
                """)

        enum Format: String, ExpressibleByArgument, CaseIterable {
            case json, hex, base64, sha256
        }

        @Argument(help: "The ABI: JSON, or its raw form as bytes, hex or base64; `-` for standard input.")
        var file: InputFile

        @Option(help: "The output format.")
        var format: Format?

        @Flag(help: "Print all forms as JSON: sha256, bytes, raw (in hex), abi.")
        var json = false

        @OptionGroup var sandbox: SandboxOption

        func validate() throws {
            if json, format != nil { throw ValidationError("--json prints all forms: omit --format") }
        }

        var requiredAccess: FileAccess { file.fileAccess }

        func run() throws {
            do {
                let abi = try ABIDefinition.read(file.read())
                // Do not print an ABI that every node would refuse.
                Messages.warn(of: try ABI(abi.definition).warnings, in: file)
                try print(abi.definition, raw: abi.rawForm(), format: format ?? (abi.isRaw ? .json : .hex))
            } catch let error as Output.Failure { throw error } catch { throw Placed(place: file.name, error: error) }
        }

        private func print(_ definition: ABIDefinition, raw: [UInt8], format: Format) throws {
            let hash = Hex.encode(HashFunction.sha256.hash(raw))
            guard !json else {
                return try Output.json(Self.object.json((hash, raw, definition)))
            }
            if format != .sha256 { Messages.note(Words.hash(hash, ofRawABI: raw.count)) }
            let text =
                switch format {
                case .json: Printable.json(definition.json, .pretty)
                case .hex: Hex.encode(raw)
                case .base64: Base64.encode(raw)
                case .sha256: hash
                }
            try Output.data(text + "\n")
        }

        static let object = JSONObject<(hash: String, raw: [UInt8], definition: ABIDefinition)>([
            .text("sha256", "the SHA-256 of the raw form") { $0.hash },
            .number("bytes", "the size of the raw form") { $0.raw.count },
            .text("raw", "the raw form, in hex") { Hex.encode($0.raw) },
            .any("abi", "the ABI, as `get_abi` of a node prints it") { $0.definition.json },
        ])
    }
}
