import Testing

@testable import Transactions

struct ChainTests {
    /// The names have the ids for which the vectors of the reference implementations were signed.
    @Test(arguments: [
        ("eos", "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"),
        ("vaulta", "aca376f206b8fc25a6ed44dbdc66547c36c6c33e3a119ffbeaef943642f0e906"),
        ("jungle4", "73e4385a2708e6d7048834fbc1079f2fabb17b3c125b146af438971e90716c4d"),
        ("wax", "1064487b3cd1a897ce03ae5b6a865651747e2e152090f99c1d19d44e01aea5a4"),
        ("telos", "4667b205c6838ef70ff7988f6e8257e8be0e1284a2f59699054a018f743b1d11"),
        ("proton", "384da888112027f0321850a169f737c33e53b388aad48b5adace4bab97f437e0"),
        ("fio", "21dcae42c0182200e93f954a074011f9048a7624c6fe81d3c9541a614a88bd1c"),
    ])
    func namesHaveTheirIDs(name: String, id: String) throws {
        #expect(try ChainID(name).text == id)
        #expect(try ChainID(id) == ChainID(name))
        #expect(try ChainID(id.uppercased()) == ChainID(name))
    }

    @Test func namesAreUnique() throws {
        let names = Chain.all.flatMap { [$0.name] + $0.aliases }
        #expect(Set(names).count == names.count)
        #expect(Set(Chain.all.map(\.id)).count == Chain.all.count)
        for chain in Chain.all { #expect(try ChainID(chain.name).chain?.name == chain.name) }
    }

    @Test func acceptsNamesInEitherLetterCase() throws {
        #expect(try ChainID("WAX") == ChainID("wax"))
        #expect(try ChainID("Telos-Testnet") == ChainID("telos-testnet"))
        #expect(throws: ChainError.retired(use: "jungle4")) { try ChainID("Jungle") }
    }

    @Test(arguments: [
        ("jungle", ChainError.retired(use: "jungle4")), ("jungle2", .retired(use: "jungle4")),
        ("EOSS", .unknownName(known: Chain.all.map(\.name))),
        ("", .unknownName(known: Chain.all.map(\.name))),
        ("aca376f206b8fc25a6ed44db", .wrongLength(expected: 64)),
        (String(repeating: "g", count: 64), .invalidHex),
    ])
    func refuses(name: String, error: ChainError) {
        #expect(throws: error) { try ChainID(name) }
    }
}
