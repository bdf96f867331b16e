import ABICodec
import ArgumentParser
import Codecs
import Hardening
import JSON
import Shell

struct ABIGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abi", abstract: "Convert ABIs and values of their types; list, show and pin ABIs.",
        subcommands: [
            Encode.self, Decode.self, Convert.self, List.self, Show.self, Pin.self, Unpin.self,
        ])

    struct Encode: PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "encode", abstract: "Encode a JSON value, and print its bytes in hex.",
            discussion: "  eosvault abi encode --abi token.abi.json asset '\"1.0000 EOS\"'")

        @OptionGroup var value: ABIValueOptions
        @OptionGroup var common: MessageOptions

        var requiredAccess: FileAccess { value.fileAccess }

        func run() throws {
            let type = try value.type()
            var writer = ByteWriter()
            try value.convert { text, output in
                writer.removeAll()
                try type.encode(json: text, into: &writer)
                Hex.append(writer.bytes.span, to: &output)
            }
        }
    }

    struct Decode: PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode", abstract: "Decode bytes in hex, and print their JSON value.",
            discussion: "  eosvault abi decode --abi token.abi.json asset 102700000000000004454f5300000000")

        @OptionGroup var value: ABIValueOptions
        @OptionGroup var common: MessageOptions

        var requiredAccess: FileAccess { value.fileAccess }

        func run() throws {
            let type = try value.type()
            var writer = JSONWriter()
            try value.convert { text, output in
                writer.removeAll()
                try type.decode(Hex.decode(utf8: text), into: &writer)
                output += Printable.json(writer.bytes)
            }
        }
    }
}

/// A type of an ABI, and one value of this type or one value per line.
struct ABIValueOptions: ParsableArguments {
    @Option(help: ArgumentHelp("The ABI: JSON, or its raw form as bytes, hex or base64.", valueName: "file"))
    var abi: InputFile

    @Argument(
        help: ArgumentHelp(
            "The type: a struct, an action's type, `name[]`, `uint8[32]`, …", valueName: "type"))
    var typeName: String

    @Argument(
        help: "The value. If it is missing or `-`, standard input is read. Put `--` before a negative number."
    )
    var value: String?

    @Flag(help: "Read one value per line. Print one result per line: the value, or `error: …`.")
    var lines = false

    func validate() throws {
        if lines, let value, value != "-" {
            throw ValidationError("--lines reads standard input: omit the value")
        }
        let readsInput = lines || value == nil || value == "-"
        if readsInput { try [InputFile.standardInput].refuseSharedInput(with: [abi]) }
    }

    var fileAccess: FileAccess { abi.fileAccess }

    func type() throws -> ABIType {
        let file = abi
        return try placed(at: file.name) {
            let abi = try ABI(contents: file.read())
            Messages.warn(of: abi.warnings, in: file)
            return try abi.type(named: typeName)
        }
    }

    /// Converts the value, or each line of standard input.
    /// - Parameter step: converts one value, and appends the result to the output.
    func convert(_ step: ([UInt8], inout [UInt8]) throws -> Void) throws {
        guard lines else {
            let text = if let value, value != "-" { Array(value.utf8) } else { try Self.standardInput() }
            var output: [UInt8] = []
            try step(text, &output)
            return try Output.data(output + "\n".utf8)
        }
        var writer = LineWriter()
        var failed = false
        try LineReader(limit: InputFile.maximumSize).forEach { line in
            do { try writer.write { output in try step(line, &output) } } catch let refused
                as LineWriter.Refused
            {
                failed = true
                try writer.write("error: \(Words(for: refused.error).message)")
            }
        } tooLong: {
            failed = true
            try writer.write(
                "error: \(InputFile.Failure.tooLong(limit: InputFile.maximumSize).words.message)")
        } waiting: {
            try writer.flush()
        }
        try writer.flush()
        if failed { throw ExitStatus.failed }
    }

    /// All of standard input, without one final line ending.
    private static func standardInput() throws -> [UInt8] {
        let input = InputFile.standardInput
        var bytes = try placed(at: input.name) { try input.read() }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes
    }
}

extension ABIGroup {
    struct Convert: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "convert",
            abstract: "Convert an ABI between JSON and the raw form that chains store.",
            discussion: """
                The raw form is the argument of set_abi and the result of get_raw_abi. Its SHA-256, the abi_hash, \
                identifies the ABI on chain. JSON is packed as cleos packs it today; an older raw form of the same \
                JSON can differ. The default is hex for JSON, and JSON for a raw form. The input can also be a node's \
                answer to get_abi or get_raw_abi.

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

        @Flag(help: "Print all forms in a JSON object: sha256, bytes, raw (in hex), abi.")
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
            } catch let error as Output.Failure { throw error } catch {
                throw Placed(place: file.name, error: error)
            }
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
