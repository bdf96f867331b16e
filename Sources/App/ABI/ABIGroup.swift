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

    struct Encode: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "encode",
            abstract: "Encode a JSON value, and print its bytes in hex.",
            discussion: "  eosvault abi encode --abi token.abi.json asset '\"1.0000 EOS\"'")

        @OptionGroup var value: ABIValueOptions

        @OptionGroup var sandbox: SandboxOption

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

    struct Decode: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode",
            abstract: "Decode bytes in hex, and print their JSON value.",
            discussion: "  eosvault abi decode --abi token.abi.json asset 102700000000000004454f5300000000")

        @OptionGroup var value: ABIValueOptions

        @OptionGroup var sandbox: SandboxOption

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

    @Argument(help: ArgumentHelp("The type: a struct, an action's type, `name[]`, `uint8[32]`, …", valueName: "type"))
    var typeName: String

    @Argument(help: "The value. If it is missing or `-`, standard input is read. Put `--` before a negative number.")
    var value: String?

    @Flag(help: "Read one value per line, and print one result per line: the value, or `error: …`.")
    var lines = false

    func validate() throws {
        if lines, let value, value != "-" { throw ValidationError("--lines reads standard input: omit the value") }
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
            do { try writer.write { output in try step(line, &output) } } catch let refused as LineWriter.Refused {
                failed = true
                try writer.write("error: \(Words(for: refused.error).message)")
            }
        } tooLong: {
            failed = true
            try writer.write("error: \(InputFile.Failure.tooLong(limit: InputFile.maximumSize).words.message)")
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
