import Codecs
import JSON
import TestSupport
import Testing

@testable import ABICodec

/// Bytes that decode have a text that encodes to the same bytes.
@Suite struct RoundTripTests {
    /// A xorshift generator: the same bytes in each run.
    struct Random: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }

    static let abi = Result { try ABI(#require(JSONValue.parse(repositoryFile("Vectors/abi.json"))["abi"])) }

    static let types =
        Builtin.allCases.map(\.rawValue) + [
            "extended_asset", "bool[]", "name?", "uint16?[]", "string[]?", "int8??", "empty[]", "rec", "tree",
            "vars",
            "v_complex",
            "nested", "bitset[]", "uint16[3]", "string[2]?", "pair[0][]",
            "extopt", "ext2", "ext1[]", "holdsext", "extstruct", "opts", "allnum", "chain", "authority",
            "transaction",
        ]

    @Test(arguments: types) func randomBytes(_ name: String) throws {
        let type = try Self.abi.get().type(named: name)
        var random = Random(state: 0x9e37_79b9_7f4a_7c15)
        var decoded = 0
        for round in 0..<1_000 {
            let count = Int.random(in: 0...(round % 4 == 0 ? 8 : 90), using: &random)
            // Small bytes are more often counts, tags and letters.
            let limit = [UInt8.max, 3, 0x5a, 0x7f][round % 4]
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...limit, using: &random) }
            if try roundTrips(type, bytes) { decoded += 1 }
        }
        // Random bytes are rarely valid keys or structs of many fields, so these are not counted.
        if Builtin(rawValue: name) != nil, !["public_key", "signature"].contains(name) {
            let fixed = try fixedSize(type)
            if fixed == nil { #expect(decoded > 0) }
        }
    }

    /// For types of fixed size: inputs of that size, so that most decode.
    @Test(arguments: types) func bytesOfFixedSize(_ name: String) throws {
        let type = try Self.abi.get().type(named: name)
        guard let size = try fixedSize(type) else { return }
        var random = Random(state: 0x2545_f491_4f6c_dd1d)
        var decoded = 0
        for round in 0..<1_000 {
            var bytes = (0..<size).map { _ in UInt8.random(in: 0...255, using: &random) }
            if round % 2 == 1 { for index in 0..<size where random.next() % 2 == 0 { bytes[index] = 0 } }
            if round % 8 == 3 {
                for index in 0..<size where bytes[index] != 0 { bytes[index] = bytes[index] % 26 + 0x41 }
            }
            if try roundTrips(type, bytes) { decoded += 1 }
        }
        if Builtin(rawValue: name) != nil, !["asset", "symbol", "symbol_code", "time_point"].contains(name) {
            #expect(decoded > 10)
        }
    }

    /// Bytes of vectors with one changed bit: nearly valid values of every type.
    @Test func mutatedVectors() throws {
        let file = try JSONValue.parse(repositoryFile("Vectors/abi.json"))
        var random = Random(state: 0xda94_2042_e4dd_58b5)
        for test in try #require(file["tests"]?.array) {
            guard let hex = test["hex"]?.string, let name = test["type"]?.string,
                let type = try? Self.abi.get().type(named: name)
            else {
                continue
            }
            let bytes = try Hex.decode(hex)
            for _ in 0..<5 where !bytes.isEmpty {
                var changed = bytes
                changed[Int.random(in: 0..<bytes.count, using: &random)] ^=
                    1 << UInt8.random(in: 0..<8, using: &random)
                if random.next() % 4 == 0 { changed.removeLast(Int.random(in: 0...1, using: &random)) }
                _ = try roundTrips(type, changed)
            }
        }
    }

    /// Numbers at and next to powers of two, special values, and random float32 values.
    @Test func floats() throws {
        let double = try Self.abi.get().type(named: "float64")
        let float = try Self.abi.get().type(named: "float32")
        for exponent in Array(stride(from: UInt64(0), to: 2048, by: 7)) + [2046, 2047] {
            for mantissa in [0, 1, (1 << 52) - 1, 0x5_5555_5555_5555] as [UInt64] {
                for sign in [0, 1] as [UInt64] {
                    var writer = ByteWriter()
                    writer.write(integer: sign << 63 | exponent << 52 | mantissa)
                    let isNaN = exponent == 2047 && mantissa != 0
                    #expect(try roundTrips(double, writer.bytes) == !isNaN)
                }
            }
        }
        var random = Random(state: 0x1234_5678_9abc_def1)
        for _ in 0..<1_000 {
            var writer = ByteWriter()
            let bits = UInt32(truncatingIfNeeded: random.next())
            writer.write(integer: bits)
            #expect(try roundTrips(float, writer.bytes) == !Float(bitPattern: bits).isNaN)
        }
    }

    /// Checks the round trip. Returns false if the bytes don't decode.
    private func roundTrips(_ type: ABIType, _ bytes: [UInt8]) throws -> Bool {
        let text: [UInt8]
        do throws(ABIError) { text = try type.decode(bytes) } catch {
            #expect(throws: error) { try Self.value(of: bytes, as: type) }
            return false
        }
        #expect(try Self.value(of: bytes, as: type) == text)
        do throws(ABIError) {
            let again = try type.encode(json: text)
            let prettyText = try type.decode(bytes, style: .pretty)
            let pretty = try type.encode(json: prettyText)
            let expected = try? JSONValue.parse(text).text(.pretty)
            #expect(String(decoding: prettyText, as: UTF8.self) == expected)
            if again != bytes || pretty != bytes {
                Issue.record(
                    "\(type.name): \(Hex.encode(bytes)) printed as \(String(decoding: text, as: UTF8.self))")
            }
        } catch {
            Issue.record(
                "\(type.name): \(Hex.encode(bytes)) printed as \(String(decoding: text, as: UTF8.self)): \(error)"
            )
        }
        return true
    }

    /// The text of the value that the bytes have; checks that the value encodes to the bytes and to
    /// no others, and costs its text and a line for each part.
    private static func value(of bytes: [UInt8], as type: ABIType) throws -> [UInt8] {
        var decoder = ValueDecoder(budget: .max)
        let value = try #require(try decoder.decode(bytes, as: type))
        #expect(type.encodes(value, to: bytes))
        #expect(!type.encodes(value, to: bytes + [0]))
        #expect(bytes.isEmpty || !type.encodes(value, to: Array(bytes.dropLast())))
        for index in bytes.indices.prefix(64) {
            var changed = bytes
            changed[index] ^= 1
            #expect(!type.encodes(value, to: changed))
        }
        let text = Array(value.json.text().utf8)
        #expect(.max - decoder.budget == text.count + ValueDecoder.valueCost * lines(value))
        return text
    }

    /// The number of values without parts.
    private static func lines(_ value: TypedValue) -> Int {
        switch value {
        case .list(let list): max(1, list.map(lines).reduce(0, +))
        case .fields(let fields): max(1, fields.map { lines($0.value) }.reduce(0, +))
        case .alternative(_, let inner): 1 + lines(inner)
        default: 1
        }
    }

    private func fixedSize(_ type: ABIType) throws -> Int? {
        guard case .builtin(let builtin) = type.layout.nodes[type.node] else { return nil }
        switch builtin {
        case .bool, .int8, .uint8: return 1
        case .int16, .uint16: return 2
        case .int32, .uint32, .float32, .timePointSec, .blockTimestamp: return 4
        case .int64, .uint64, .float64, .name, .symbol, .symbolCode, .timePoint: return 8
        case .int128, .uint128, .float128, .asset: return 16
        case .checksum160: return 20
        case .checksum256: return 32
        case .checksum512: return 64
        case .varint32, .varuint32, .bytes, .string, .publicKey, .signature, .bitset: return nil
        }
    }
}
