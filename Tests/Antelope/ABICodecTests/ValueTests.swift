import Testing

@testable import ABICodec

@Suite struct ValueTests {
    @Test func names() throws {
        #expect(try Name("eosio.token").rawValue == 0x5530_ea03_3482_a600)
        #expect(try Name("").rawValue == 0)
        #expect(Name(rawValue: .max).text == "zzzzzzzzzzzzj")
        #expect("\(Name(rawValue: 0xf))" == "............j")
        var state: UInt64 = 1
        for _ in 0..<10_000 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            #expect(try Name(Name(rawValue: state).text).rawValue == state)
            #expect(try Name(Name(rawValue: state << 24).text).rawValue == state << 24)
        }
    }

    @Test func assetsAndSymbols() throws {
        let asset = try Asset("-12.3400 EOS")
        #expect(asset.amount == -123_400)
        #expect(asset.symbol.precision == 4)
        #expect("\(asset)" == "-12.3400 EOS")
        #expect("\(asset.symbol)" == "4,EOS")
        #expect("\(asset.symbol.code)" == "EOS")
        #expect(
            try Asset(amount: -5, symbol: Symbol(precision: 18, code: SymbolCode("A"))).text
                == "-0.000000000000000005 A")
        #expect(throws: ABIError(.amountOutOfRange)) { try Asset(amount: .min, symbol: asset.symbol) }
        #expect(throws: ABIError(.invalidSymbolCode)) {
            try Asset(amount: 1, symbol: Symbol(precision: 0, code: SymbolCode("")))
        }
        #expect(try Symbol("0,").rawValue == 0)
    }

    @Test func times() throws {
        #expect(try TimePointSec("2026-12-01T00:00:00").seconds == 1_796_083_200)
        #expect("\(TimePointSec(seconds: .max))" == "2106-02-07T06:28:15")
        // Each day of the range, and the second before it.
        for day in stride(from: UInt32(86_400), to: .max - 86_400, by: 86_400) {
            for seconds in [day - 1, day]
            where try TimePointSec(TimePointSec(seconds: seconds).text).seconds != seconds {
                Issue.record("\(seconds) printed as \(TimePointSec(seconds: seconds))")
            }
        }
    }

    /// Compared with `%.17f` of glibc.
    @Test(arguments: [
        (0.1, "0.10000000000000001"), (-0.0, "-0.00000000000000000"), (1.5, "1.50000000000000000"),
        (1e22, "10000000000000000000000.00000000000000000"),
        (123456789.123456789, "123456789.12345679104328156"), (0.99999999999999999, "1.00000000000000000"),
        (1e-17, "0.00000000000000001"),
        (5e-18, "0.00000000000000001"), (4.9e-18, "0.00000000000000000"), (2.5, "2.50000000000000000"),
        (Double.leastNonzeroMagnitude, "0.00000000000000000"),
        (9007199254740993.0, "9007199254740992.00000000000000000"), (0x1p-17, "0.00000762939453125"),
        (0x1p-18, "0.00000381469726562"),
        (0x3p-18, "0.00001144409179688"), (0x1p64, "18446744073709551616.00000000000000000"),
        (0x1p200, "1606938044258990275541962092341162602522202993782792835301376.00000000000000000"),
    ])
    func fixedDecimals(_ value: Double, _ text: String) {
        #expect(FloatText.fixed(value) == text)
    }

    private static let zeros = String(repeating: "0", count: 100_010)

    /// Many decimals and a large exponent cancel each other to a small power of ten.
    @Test(arguments: [
        ("0.\(zeros)1e100012", 10.0), ("1\(zeros)e-100009", 10.0), ("0.\(zeros)1e100000", 1e-11),
        ("0e99999999999999999999", 0.0),
        ("1e-99999999999999999999", 0.0),
    ])
    func longDecimals(_ text: String, _ value: Double) throws {
        #expect(try FloatText.parse64(Array(text.utf8).span) == value.bitPattern)
    }
}
