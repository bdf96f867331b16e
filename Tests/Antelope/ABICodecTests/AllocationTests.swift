import CProbe
import Codecs
import JSON
import Testing

@testable import ABICodec

/// "No allocation per field": a struct of a thousand fields allocates as often as one of ten.
///
/// Floats, keys and signatures are excluded, because their texts are created as strings.
struct AllocationTests {
    static let values: [(type: String, json: String)] = [
        ("bool", "true"), ("uint8", "200"), ("int64", #""-9223372036854775808""#), ("uint64", "4294967295"),
        ("varuint32", "300"),
        ("varint32", "-300"), ("uint128", #""340282366920938463463374607431768211455""#),
        ("name", #""bob.exchange""#),
        ("asset", #""1.0000 EOS""#),
        ("extended_asset", #"{"quantity":"1.0000 EOS","contract":"eosio.token"}"#),
        ("symbol", #""4,EOS""#),
        ("symbol_code", #""EOS""#), ("time_point", #""2024-02-29T12:34:56.789""#),
        ("time_point_sec", #""2024-02-29T12:34:56""#),
        ("block_timestamp_type", #""2024-02-29T12:34:56.500""#),
        ("string", #""a \"quoted\" text of more than fifteen bytes""#),
        ("bytes", #""00ff10""#), ("checksum256", "\"" + String(repeating: "a5", count: 32) + "\""),
        ("name?", #""alice""#),
        ("name?", "null"), ("name[]", #"["alice","bob"]"#), ("pair", #"{"a":1,"b":"bob"}"#),
        ("pair", #"{"b":"bob","a":1}"#),
        ("choice", #"["name","alice"]"#),
    ]

    static func abi(_ type: String, fields: Int) throws -> ABIType {
        let list = (0..<fields).map { #"{"name":"f\#($0)","type":"\#(type)"}"# }.joined(separator: ",")
        let text = #"""
            {"version": "eosio::abi/1.2", "structs": [{"name": "all", "base": "", "fields": [\#(list)]},
            {"name": "pair", "base": "", "fields": [{"name": "a", "type": "uint8"}, {"name": "b", "type": "name"}]}],
            "variants": [{"name": "choice", "types": ["uint8", "name"]}]}
            """#
        return try ABI(contents: Array(text.utf8)).type(named: "all")
    }

    /// How often `body` allocates memory, after the buffers that are kept between values exist.
    static func allocations(_ body: () throws -> Void) rethrows -> Int {
        try body()
        try body()
        let before = probe_allocations()
        try body()
        return probe_allocations() - before
    }

    static func count(_ type: String, _ json: String, fields: Int) throws -> (encoding: Int, decoding: Int) {
        let text = Array(
            ("{" + (0..<fields).map { #""f\#($0)":\#(json)"# }.joined(separator: ",") + "}").utf8)
        let type = try abi(type, fields: fields)
        var writer = ByteWriter()
        let encoding = try allocations {
            writer.removeAll()
            try type.encode(json: text, into: &writer)
        }
        let bytes = writer.bytes
        var output = JSONWriter()
        let decoding = try allocations {
            output.removeAll()
            try type.decode(bytes, into: &output)
        }
        return (encoding, decoding)
    }

    @Test(.enabled(if: probe_counts_allocations() != 0))
    func allocationsAreCounted() {
        #expect(
            Self.allocations { _ = [UInt8](repeating: 1, count: 1_000).withUnsafeBufferPointer(\.count) } >= 1
        )
    }

    @Test(arguments: values)
    func noAllocationPerField(type: String, json: String) throws {
        let (few, many) = (try Self.count(type, json, fields: 10), try Self.count(type, json, fields: 1_000))
        #expect(few.encoding == many.encoding)
        #expect(few.decoding == many.decoding)
    }
}
