import ABICodec
import AirGap
import Codecs
import Keys
import TestSupport
import Testing

@testable import Scanning

struct ScanCollectorTests {
    private static func resource(_ count: Int, _ seed: UInt8 = 1) throws -> UniformResource {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ Int(seed)) }
        return try UniformResource(
            type: .bytes, cbor: [0x59, UInt8(count >> 8), UInt8(count & 0xff)] + bytes)
    }

    private static func parts(_ resource: UniformResource, _ numbers: some Sequence<Int>) throws -> [[UInt8]]
    {
        let encoder = try UREncoder(resource, maximumFragment: 50)
        return numbers.map { Array(encoder.text(UInt32($0)).utf8) }
    }

    private static func result(_ codes: [[UInt8]]) throws -> ScannedMessage {
        var collector = ScanCollector()
        for code in codes { collector.add(code) }
        return try collector.result()
    }

    // MARK: the order of parts

    /// 30 % of the frames are lost, the others are shuffled, and some come twice.
    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func partsInAnyOrder(seed: UInt64) throws {
        var random = SplitMix(seed: seed)
        let message = try Self.resource(1000, UInt8(seed))
        // Three times as many frames as the message has fragments.
        let frames = try Self.parts(message, 1...63).shuffled(using: &random)
        let received = frames.prefix(44) + frames.prefix(5)
        #expect(try Self.result(Array(received)) == .resource(message))
    }

    /// The frames of eight other messages come first, and codes of other programs between them.
    @Test func otherMessagesDoNoHarm() throws {
        let message = try Self.resource(300)
        var codes = try (2...9).flatMap { try Self.parts(try Self.resource(400, $0), 1...3) }
        for part in try Self.parts(message, 1...7) {
            codes += [part, Array("https://example.com".utf8), Array("WIFI:T:WPA;S:cafe;;".utf8)]
        }
        #expect(try Self.result(codes) == .resource(message))
    }

    @Test func missingPartsAreCounted() throws {
        var collector = ScanCollector()
        for part in try Self.parts(try Self.resource(300), [2, 4, 4]) { collector.add(part) }
        #expect(collector.count == 3)
        #expect(collector.missing.map { [$0.codes, $0.total] } == [5, 7])
        #expect(throws: ScanError.incomplete(missing: 5, total: 7)) { try collector.result() }
    }

    @Test func severalMessagesAreRefused() throws {
        let (one, other) = (try Self.resource(20), try Self.resource(20, 2))
        let codes = [one, other].map { Array($0.text.utf8) }
        #expect(
            throws: ScanError.severalMessages([
                ScannedMessage.resource(one).description, ScannedMessage.resource(other).description,
            ])
        ) { try Self.result(codes) }
        #expect(try Self.result([codes[0], codes[0]]) == .resource(one))
    }

    // MARK: single codes

    @Test(
        arguments: [
            "esr://gmNgZGRkAIFXBqEFopc6760yugsVYWBggtKCMIEFRnclpF9eTWUACgAA", "web+esr:abc", "ESR:ABC",
            #"{"actions":[]}"#,
            "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV", "PUB_R1_abc", "SIG_K1_abc",
            "000e0e6be80378563412000000", "000E0E6BE80378563412000000",
        ])
    func knownTextsAreMessages(text: String) throws {
        var collector = ScanCollector()
        collector.add(Array("any text".utf8))
        collector.add(Array(text.utf8))
        #expect(collector.messages == [.text(Array(text.utf8))])
        #expect(try collector.result().output() == Array((text + "\n").utf8))
    }

    @Test func otherTextCountsIfItIsAlone() throws {
        #expect(try Self.result([[0xff, 0x00]]) == .text([0xff, 0x00]))
        #expect(throws: ScanError.severalMessages(["a text of 1 byte", "a text of 2 bytes"])) {
            try Self.result([Array("a".utf8), Array("bb".utf8)])
        }
        #expect(throws: ScanError.noCode) { try Self.result([]) }
        #expect(throws: ScanError.damagedMessage) { try Self.result([Array("ur:bytes/aeaeaeae".utf8)]) }
    }

    @Test(arguments: [
        "5KhnWA9uNDqAB75aiJ9wMp3d83xcuunpUmjKNtkmnAMnkvBRW3J",
        "PVT_K1_2mm4NHJwxHLRMuWmjpwuYqK6SRwGqGMkvrwrzHwSGyZbg8wMRn",
        #"{"key":"5KhnWA9uNDqAB75aiJ9wMp3d83xcuunpUmjKNtkmnAMnkvBRW3J"}"#,
    ])
    func privateKeysAreNotPrinted(text: String) throws {
        let message = try Self.result([Array(text.utf8)])
        #expect(throws: ScanError.privateKey) { try message.output() }
        let bytes = Array(text.utf8)
        let resource = try UniformResource(type: .bytes, cbor: [0x58, UInt8(bytes.count)] + bytes)
        #expect(throws: ScanError.privateKey) { try ScannedMessage.resource(resource).output() }
    }

    // MARK: messages

    @Test func bytesAreUnwrapped() throws {
        let bytes = try UniformResource(type: .bytes, cbor: [0x43, 1, 2, 3])
        #expect(try ScannedMessage.resource(bytes).output() == [1, 2, 3])
        let wrong = try UniformResource(type: .bytes, cbor: [0x61, 0x61])
        #expect(throws: ScanError.malformed) { try ScannedMessage.resource(wrong).output() }
    }

    @Test func messagesOfOtherProgramsAreRefused() throws {
        let other = try UniformResource(type: URType("crypto-psbt".utf8), cbor: [0x41, 0x00])
        #expect(throws: ScanError.unknownType("crypto-psbt")) { try ScannedMessage.resource(other).output() }
        let malformed = try UniformResource(type: .transaction, cbor: [0xa0])
        #expect(throws: ScanError.malformed) { try ScannedMessage.resource(malformed).output() }
    }

    @Test func publicKeysAreLines() throws {
        let keys = [
            "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV",
            "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC",
        ]
        let message = AirGapMessage.publicKeys(PublicKeysMessage(keys: try keys.map { try PublicKey($0) }))
        let output = try ScannedMessage.resource(message.resource()).output()
        let lines = try String(decoding: output, as: UTF8.self).split(separator: "\n").map {
            try PublicKey(String($0))
        }
        #expect(lines == (try keys.map { try PublicKey($0) }))
    }
}
