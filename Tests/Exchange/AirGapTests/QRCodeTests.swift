import AirGap
import JSON
import Laws
import TestSupport
import Testing

/// `VectorFileTests` compares the matrices of other encoders. These are the choices that an encoder
/// makes, and its refusals.
struct QRCodeTests {
    private static func refusal(_ body: () throws -> Void) -> QRError? {
        do { try body() } catch { return error as? QRError }
        return nil
    }

    /// qrcodegen computed the penalty of each mask. Ours is the first mask with the lowest one, if
    /// the version, the level and the single segment are the same.
    @Test func masksOfQrcodegen() throws {
        let tests = try #require(JSONValue.parse(repositoryFile("Vectors/qr.json"))["tests"]?.array)
        var compared = 0
        for test in tests where (test["version"]?.number).flatMap({ Int($0) }) ?? 40 < 12 {
            let text = try #require(test["text"]?.string)
            let level = try #require(QRLevel(rawValue: test["ec"]?.string ?? ""))
            let code = try QRCode(Array(text.utf8), level: level)
            guard "\(code.version.number)" == test["version"]?.number, code.level == level,
                test["mode"]?.string != "byte"
            else { continue }
            #expect("\(code.mask.number)" == test["best_mask_qrcodegen"]?.number, "\(text)")
            compared += 1
        }
        #expect(compared >= 10)
    }

    @Test func refusals() throws {
        let five = try QRVersion(5)
        let cases: [(QRError, () throws -> Void)] = [
            (.noData, { _ = try QRCode([]) }),
            (.noData, { _ = try QRSegment(.byte, []) }),
            (
                .tooManyBytes(count: 7090, limit: 7089),
                { _ = try QRCode([UInt8](repeating: 48, count: 7090)) }
            ),
            (
                .tooManyBytes(count: 7090, limit: 7089),
                { _ = try QRSegment(.numeric, Array(repeating: 48, count: 7090)) }
            ),
            // Table 7: 2953 bytes at level L and 1273 at level H.
            (
                .tooLong(bits: 23652, limit: 23648, version: .largest, level: .low),
                { _ = try QRCode([UInt8](repeating: 255, count: 2954)) }
            ),
            (
                .tooLong(bits: 10212, limit: 10208, version: .largest, level: .high),
                { _ = try QRCode([UInt8](repeating: 255, count: 1274), level: .high) }
            ),
            (
                .tooLong(bits: 868, limit: 864, version: five, level: .low),
                { _ = try QRCode([UInt8](repeating: 255, count: 107), versions: .smallest...five) }
            ),
            (
                .tooLong(bits: 156, limit: 152, version: .smallest, level: .low),
                {
                    let segment = try QRSegment(.byte, [UInt8](repeating: 255, count: 18))
                    _ = try QRCode(segment, version: .smallest, level: .low, mask: QRMask(0))
                }
            ),
            (.notInMode(.numeric, offset: 2), { _ = try QRSegment(.numeric, Array("12A".utf8)) }),
            (.notInMode(.alphanumeric, offset: 1), { _ = try QRSegment(.alphanumeric, Array("Aa".utf8)) }),
            (.versionOutOfRange(0), { _ = try QRVersion(0) }),
            (.versionOutOfRange(41), { _ = try QRVersion(41) }),
            (.maskOutOfRange(-1), { _ = try QRMask(-1) }), (.maskOutOfRange(8), { _ = try QRMask(8) }),
            (.scaleOutOfRange(0, limit: 64), { _ = try QRCode([65]).png(scale: 0) }),
            (.scaleOutOfRange(65, limit: 64), { _ = try QRCode([65]).png(scale: 65) }),
        ]
        for (error, body) in cases { #expect(Self.refusal(body) == error) }
    }

    /// Table 7 of ISO/IEC 18004:2015: digits, alphanumeric characters and bytes of version 40.
    @Test func capacities() {
        #expect(QRMode.allCases.map { QRVersion.largest.capacity($0, .low) } == [7089, 4296, 2953])
        #expect(QRMode.allCases.map { QRVersion.largest.capacity($0, .high) } == [3057, 1852, 1273])
        #expect(QRMode.allCases.map { QRVersion.smallest.capacity($0, .quartile) } == [27, 16, 11])
    }

    /// Data that fills a version uses it, and one character more needs the next one.
    @Test(arguments: QRLevel.allCases)
    func smallestVersion(level: QRLevel) throws {
        for version in QRVersion.all.dropLast() where version.number % 3 == 0 {
            let count = version.capacity(.alphanumeric, level)
            let full = try QRCode([UInt8](repeating: 65, count: count), level: level)
            #expect(full.version == version)
            #expect(full.level == level)
            let more = try QRCode([UInt8](repeating: 65, count: count + 1), level: level)
            #expect(more.version.number == version.number + 1)
        }
    }

    /// The level is raised in the same version: table 7 has 17, 14, 11 and 7 bytes for version 1.
    @Test(arguments: [(17, QRLevel.low), (14, .medium), (11, .quartile), (7, .high)])
    func levelIsRaised(count: Int, level: QRLevel) throws {
        let code = try QRCode([UInt8](repeating: 255, count: count))
        #expect(code.version == .smallest)
        #expect(code.level == level)
    }

    /// A letter and 36 digits: 20 and 134 bits. One segment of bytes needs 308 bits, more than the
    /// 176 bits of version 2 at level Q.
    @Test func segmentsSaveBits() throws {
        let text = "a" + String(repeating: "7", count: 36)
        let code = try QRCode(Array(text.utf8), level: .quartile)
        #expect(code.version.number == 2)
        #expect(try QRReader(code).bytes == Array(text.utf8))
    }

    @Test func randomDataReadsBack() throws {
        var generator = SystemRandomNumberGenerator()
        let alphabets = ["0123456789", "ABCDEFG $%*+-./:", "abc{}\u{e9}"].map { Array($0.utf8) }
        for _ in 0..<60 {
            var bytes: [UInt8] = []
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                let alphabet = alphabets[Int.random(in: 0..<3, using: &generator)]
                for _ in 0..<Int.random(in: 1...30, using: &generator) {
                    bytes.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)])
                }
            }
            let level = QRLevel.allCases[Int.random(in: 0..<4, using: &generator)]
            #expect(try QRReader(QRCode(bytes, level: level)).bytes == bytes, "\(bytes)")
        }
    }
}
