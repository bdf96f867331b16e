import Testing

@testable import Seeds

struct DerivationPathTests {
    @Test(
        arguments: [
            ("m", []), ("m/0", [0]), ("m/0'", [0x8000_0000]), ("m/2147483647", [0x7fff_ffff]),
            ("m/2147483647'", [0xffff_ffff]),
            ("m/44'/194'/0'/0/7", [0x8000_002c, 0x8000_00c2, 0x8000_0000, 0, 7]),
            ("m/1/2/3/4/5/6/7/8/9/10", [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]),
        ] as [(String, [UInt32])])
    func readsAndPrints(_ text: String, _ levels: [UInt32]) throws {
        let path = try DerivationPath(text)
        #expect(path.levels == levels)
        #expect(path.text == text)
    }

    @Test(arguments: [
        ("", PathProblem.noRoot), ("44'", .noRoot), ("M", .noRoot), ("M/0", .noRoot), ("/0", .noRoot),
        (" m", .noRoot), ("m ", .noRoot), ("m0", .noRoot), ("m/", .level(1)), ("m//0", .level(1)),
        ("m/0/", .level(2)), ("m/44'/x", .level(2)), ("m/-1", .level(1)), ("m/+1", .level(1)),
        ("m/00", .level(1)), ("m/01'", .level(1)), ("m/2147483648", .level(1)),
        ("m/4294967296", .level(1)), ("m/99999999999999999999", .level(1)), ("m/'", .level(1)),
        ("m/0''", .level(1)), ("m/0’", .level(1)), ("m/ 0", .level(1)), ("m/0 ", .level(1)),
        ("m/٣", .level(1)), ("m/0x1", .level(1)), ("m/0'/1h", .letterMark(level: 2)),
        ("m/44H", .letterMark(level: 1)), ("m/h", .letterMark(level: 1)), ("m/0/0\n", .level(2)),
        ("m/1/2/3/4/5/6/7/8/9/10/11", .tooManyLevels(limit: 10)),
    ])
    func refuses(_ text: String, _ problem: PathProblem) {
        #expect(throws: SeedError.path(problem)) { try DerivationPath(text) }
    }

    @Test func pathOfEOS() {
        #expect(DerivationPath.eos(0).text == "m/44'/194'/0'/0/0")
        #expect(DerivationPath.eos(2_147_483_647).text == "m/44'/194'/0'/0/2147483647")
    }

    @Test func familiesHaveThePathsOfWallets() {
        #expect(
            PathFamily.all.map { $0.path(3).text } == [
                "m/44'/194'/0'/0/3", "m/44'/194'/3'/0/0", "m/44'/194'/0'/3/0", "m/44'/194'/0'/0/3'",
                "m/44'/194'", "m/48'/4'/0'/0'/3'", "m/48'/4'/1'/0'/3'",
            ])
    }
}
