import JSON
import TestSupport
import Testing

@testable import ABICodec

/// Texts that are almost valid. They are refused with a typed error or satisfy the round-trip law,
/// and nothing traps.
@Suite struct HostileInputTests {
    /// Bytes with a meaning in JSON, and some that JSON never contains.
    static let pieces =
        Array("{}[]\",:\\u0123456789-.eEtrufalsn \u{0}\u{1f}\u{7f}".utf8) + [0x80, 0xc3, 0xed, 0xff]

    private func mutated(_ text: [UInt8], _ random: inout RoundTripTests.Random) -> [UInt8] {
        var text = text
        for _ in 0...Int.random(in: 0...2, using: &random) where !text.isEmpty {
            let place = Int.random(in: 0..<text.count, using: &random)
            let piece = Self.pieces[Int.random(in: 0..<Self.pieces.count, using: &random)]
            switch random.next() % 4 {
            case 0: text[place] = piece
            case 1: text.insert(piece, at: place)
            case 2: text.remove(at: place)
            default:
                let end = Int.random(in: place..<text.count, using: &random)
                text.insert(contentsOf: text[place...min(end, place + 40)], at: place)
            }
        }
        return text
    }

    /// A text that encodes has bytes that decode to a text with the same bytes.
    @Test func mutatedValues() throws {
        let file = try JSONValue.parse(repositoryFile("Vectors/abi.json"))
        let abi = try ABI(#require(file["abi"]))
        var random = RoundTripTests.Random(state: 0x0123_4567_89ab_cdef)
        var encoded = 0
        for test in try #require(file["tests"]?.array) {
            guard let json = test["json"]?.string, let name = test["type"]?.string,
                let type = try? abi.type(named: name)
            else { continue }
            for _ in 0..<5 {
                let text = mutated(Array(json.utf8), &random)
                let bytes: [UInt8]
                do throws(ABIError) { bytes = try type.encode(json: text) } catch { continue }
                encoded += 1
                let again = try type.encode(json: type.decode(bytes))
                if again != bytes { Issue.record("\(name): \(String(decoding: text, as: UTF8.self))") }
            }
        }
        #expect(encoded > 500)
    }

    @Test func mutatedDefinitions() throws {
        let text = Array(try #require(JSONValue.parse(repositoryFile("Vectors/abi.json"))["abi"]).text().utf8)
        var random = RoundTripTests.Random(state: 0xfedc_ba98_7654_3210)
        var loaded = 0
        for _ in 0..<200 {
            let changed = mutated(text, &random)
            do throws(ABIError) {
                _ = try ABI(contents: changed)
                loaded += 1
            } catch {}
        }
        #expect(loaded > 10)
    }
}
