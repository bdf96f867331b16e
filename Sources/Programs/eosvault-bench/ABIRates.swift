import ABICodec
import ArgumentParser
import Codecs
import Files
import JSON

/// Measures the ABI codec on the inputs of a file, single-threaded, in processor time.
struct ABIRates: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "abi",
        abstract: "Measure encoding from JSON to binary and decoding back, for each input of a file.",
        discussion: "Format of the file: {\"abi\": …, \"inputs\": [{\"name\", \"type\", \"json\"}, …]}")

    @Option(help: ArgumentHelp("The file of inputs.", valueName: "file"))
    var inputs: String

    @Flag(help: "Print {\"NAME\": {\"encode_per_s\", \"decode_per_s\"}, …}.")
    var json = false

    func run() throws {
        let file = try JSONValue.parse(Self.read(inputs))
        guard let definition = file["abi"], let list = file["inputs"]?.array else {
            throw ValidationError("the file has no \"abi\" or no \"inputs\"")
        }
        let abi = try ABI(definition)
        var members: [JSONMember] = []
        for input in list {
            guard let name = input["name"]?.string, let type = input["type"]?.string, let text = input["json"]?.string
            else {
                throw ValidationError("an input has no \"name\", \"type\" or \"json\"")
            }
            let (encode, decode) = try Self.rates(abi.type(named: type), Array(text.utf8))
            members.append(
                JSONMember(name, ["encode_per_s": .number(Int(encode)), "decode_per_s": .number(Int(decode))]))
            if !json { print("\(name): encode \(Int(encode)) /s, decode \(Int(decode)) /s") }
        }
        if json { print(JSONValue.object(members).text()) }
    }

    private static func rates(_ type: ABIType, _ text: [UInt8]) throws -> (encode: Double, decode: Double) {
        let bytes = try type.encode(json: text)
        var writer = ByteWriter()
        let encode = try Stopwatch.rate {
            writer.removeAll()
            try JSONReader.read(text, orThrow: { ABIError(.json($0)) }) { reader throws(ABIError) in
                try type.encode(&reader, into: &writer)
            }
        }
        var output = JSONWriter()
        let decode = try Stopwatch.rate {
            output.removeAll()
            try ByteReader.read(bytes) { reader throws(ABIError) in _ = try type.decode(&reader, into: &output) }
        }
        return (encode, decode)
    }

    private static func read(_ path: String) throws -> [UInt8] {
        do {
            return try OpenFile(path).withDescriptor { file throws(FileError) in try file.bytesToEnd(atMost: 1 << 30) }
        } catch { throw ValidationError("\(path) can't be read") }
    }
}
