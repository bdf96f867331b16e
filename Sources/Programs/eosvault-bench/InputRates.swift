import ABICodec
import ArgumentParser
import Codecs
import Files
import JSON

/// The rates of the ABI codec on the values of a file, which another program measures next to its
/// own: `{"abi", "inputs": [{"name", "type", "json"}, …]}`, where `abi` and `json` are texts or
/// values.
enum InputRates {
    /// `{NAME: {"encode_per_s", "decode_per_s"}, …}`: operations per second of processor time.
    static func measure(_ path: String) throws -> JSONValue {
        let text = try OpenFile(path).withDescriptor { file throws(FileError) in
            try file.bytesToEnd(atMost: 64 << 20)
        }
        let file = try JSONValue.parse(text)
        guard case .array(let inputs)? = file["inputs"] else { throw ExitCode.failure }
        let abi = try ABI(contents: Array(string(file["abi"]).utf8))
        return .object(try inputs.map { try JSONMember(string($0["name"]), rates(of: $0, abi)) })
    }

    private static func rates(of input: JSONValue, _ abi: ABI) throws -> JSONValue {
        let type = try abi.type(named: string(input["type"]))
        let json = try Array(string(input["json"]).utf8)
        let bytes = try type.encode(json: json)
        var (writer, text) = (ByteWriter(), JSONWriter())
        return [
            "encode_per_s": .number(
                Int(
                    try Rate.perSecond {
                        writer.removeAll()
                        try type.encode(json: json, into: &writer)
                    })),
            "decode_per_s": .number(
                Int(
                    try Rate.perSecond {
                        text.removeAll()
                        try type.decode(bytes, into: &text)
                    })),
        ]
    }

    private static func string(_ value: JSONValue?) throws -> String {
        guard let value else { throw ExitCode.failure }
        return value.string ?? value.text()
    }
}
