import ABICodec
import Shell
import Signing
import Testing

@testable import App

struct AmountTests {
    @Test(arguments: [
        ("1.0000 EOS", "1.0000 EOS"), ("0.0001 EOS", "0.0001 EOS"), ("999.0000 EOS", "999.0000 EOS"),
        ("1000.0000 EOS", "1,000.0000 EOS"), ("1000000.0000 EOS", "1,000,000.0000 EOS"), ("0 X", "0 X"),
        ("1234567 X", "1,234,567 X"), ("-1234.5 X", "-1,234.5 X"), ("-0.0001 EOS", "-0.0001 EOS"),
        ("4611686018427387903 MAX", "4,611,686,018,427,387,903 MAX"),
        ("-4611686018427387903 MAX", "-4,611,686,018,427,387,903 MAX"),
        ("4.611686018427387903 MAX", "4.611686018427387903 MAX"),
        ("0.000000000000000001 X", "0.000000000000000001 X"),
    ])
    func groupsDigits(asset: String, shown: String) throws {
        #expect(Amount.text(try Asset(asset)) == shown)
    }

    /// Without the group separators it is the text of the asset, for each precision.
    @Test(arguments: 0...18)
    func isTheAssetsText(precision: Int) throws {
        let one = precision == 0 ? "1 ABC" : "1." + String(repeating: "0", count: precision) + " ABC"
        let symbol = try Asset(one).symbol
        var random = RandomText(seed: UInt64(precision))
        let limit: Int64 = (1 << 62) - 1
        let amounts = [0, 1, -1, 9, 10, 999, 1_000, -1_000, limit, -limit]
        for amount in amounts + (0..<100).map({ _ in Int64.random(in: -limit...limit, using: &random) }) {
            let asset = try Asset(amount: amount, symbol: symbol)
            let text = Amount.text(asset)
            #expect(text.replacing(",", with: "") == asset.text)
            let groups = text.drop { $0 == "-" }.prefix { $0 != "." && $0 != " " }.split(separator: ",")
            #expect(groups.dropFirst().allSatisfy { $0.count == 3 } && (1...3).contains(groups[0].count))
        }
    }

    /// The sum of many amounts can be more than 64 bits.
    @Test func has128Bits() throws {
        let symbol = try Asset("1.0000 EOS").symbol
        #expect(
            Amount.text(Int128.max, symbol) == "17,014,118,346,046,923,173,168,730,371,588,410.5727 EOS")
        #expect(
            Amount.text(Int128.min, symbol) == "-17,014,118,346,046,923,173,168,730,371,588,410.5728 EOS")
    }

    @Test(arguments: [(0, "0"), (999, "999"), (1_000, "1,000"), (-1_234_567, "-1,234,567")])
    func groupsCounts(count: Int, shown: String) {
        #expect(Amount.text(count) == shown)
    }

    @Test(arguments: [(0, "0 changes"), (1, "1 change"), (60_000, "60,000 changes")])
    func countsNouns(count: Int, shown: String) {
        #expect(Amount.count(count, "change") == shown)
    }
}
