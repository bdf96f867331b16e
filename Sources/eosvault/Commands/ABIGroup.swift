import ABICodec
import ArgumentParser
import Codecs

struct ABIGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abi", abstract: "Convert values of a contract's types, and its ABI itself.",
        subcommands: [Encode.self, Decode.self, Convert.self])

    struct Encode: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the bytes of a JSON value as hex.",
            discussion: "  eosvault abi encode --abi token.abi.json asset '\"1.0000 EOS\"'")

        @OptionGroup var value: ABIValueOptions

        func run() throws {
            let type = try value.type()
            try value.convert { text in Hex.encode(try type.encode(json: text)) }
        }
    }

    struct Decode: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the JSON value of bytes in hex.",
            discussion: "  eosvault abi decode --abi token.abi.json asset 102700000000000004454f5300000000")

        @OptionGroup var value: ABIValueOptions

        func run() throws {
            let type = try value.type()
            try value.convert { text in String(decoding: try type.decode(Hex.decode(utf8: text)), as: UTF8.self) }
        }
    }
}

/// A type of an ABI and a value of it, or a value a line.
struct ABIValueOptions: ParsableArguments {
    @Option(name: .long, help: ArgumentHelp("The ABI: JSON, or its raw form in bytes, hex or base64.", valueName: "file"))
    var abi: String

    @Argument(help: ArgumentHelp("The type: a struct, an action's type, `name[]`, …", valueName: "type"))
    var typeName: String

    @Argument(help: ArgumentHelp("The value; `-` or nothing: standard input. A negative number goes behind `--`.", valueName: "value"))
    var value: String?

    @Flag(name: .long, help: "Read a value a line, print a result a line; a refused one as `error: …`.")
    var lines = false

    func validate() throws {
        if lines, let value, value != "-" { throw ValidationError("--lines reads standard input, not a value") }
        let readsInput = lines || value == nil || value == "-"
        if readsInput { try [InputFile(path: "-")].refuseSharedInput(with: [InputFile(path: abi)]) }
    }

    func type() throws -> ABIType {
        let file = InputFile(path: abi)
        do { return try ABI(contents: file.read()).type(named: typeName) } catch { throw Placed(place: file.name, error: error) }
    }

    /// Converts the value, or each line.
    func convert(_ step: ([UInt8]) throws -> String) throws {
        guard lines else {
            let text = if let value, value != "-" { Array(value.utf8) } else { try Self.standardInput() }
            return try Output.data(step(text) + "\n")
        }
        var writer = LineWriter()
        var failed = false
        try LineReader(descriptor: 0, limit: InputFile.maximumSize).forEach { line in
            do { try writer.write(step(line)) } catch let error as Output.Failure { throw error } catch {
                failed = true
                try writer.write("error: \(Words(for: error).message)")
            }
        } tooLong: {
            failed = true
            try writer.write("error: \(Words(InputFile.Failure.tooLong(limit: InputFile.maximumSize)).message)")
        } waiting: {
            try writer.flush()
        }
        try writer.flush()
        if failed { throw ExitStatus.someFailed }
    }

    /// All of standard input less one final line ending.
    private static func standardInput() throws -> [UInt8] {
        let input = InputFile(path: "-")
        var bytes: [UInt8]
        do { bytes = try input.read() } catch { throw Placed(place: input.name, error: error) }
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
        return bytes
    }
}
