import ABICodec
import Codecs
import JSON
import Policy
import Testing
import Transactions

@testable import Signing

/// The parts of a batch that need no vault: lines, ids, allowed actions, totals.
struct BatchLineTests {
    private func line(_ text: String) throws -> BatchLine { try BatchLine(Array(text.utf8)) }

    @Test(arguments: [
        (#"{"id":"a\u00e9","transaction":{"x":1}}"#, #""aé""#, #"{"x":1}"#),
        (#" { "transaction" : "00ff" , "id" : -7 } "#, "-7", "00ff"),
        (#"{"id":"ff","expiration":1}"#, nil, nil), (#"{"transaction":{},"transaction_id":"00"}"#, nil, nil),
        (#"{"id":1,"transaction":{},"id":2}"#, nil, nil), (#"{"id":1,"transaction":{}"#, nil, nil),
        ("00ff", nil, nil),
        ("", nil, nil),
    ])
    func readsLines(text: String, id: String?, transaction: String?) throws {
        let line = try line(text)
        #expect(line.id?.text() == id)
        #expect(String(decoding: line.transaction, as: UTF8.self) == transaction ?? text)
    }

    @Test(arguments: ["1.5", "1e3", "null", "true", "[]", "{}"])
    func refusesOtherIDs(id: String) {
        #expect(throws: SigningError.self) { try line("{\"id\":\(id),\"transaction\":{}}") }
    }

    @Test func refusesLongIDs() throws {
        func text(_ count: Int, _ character: String = "a") -> String {
            "{\"id\":\"\(String(repeating: character, count: count))\",\"transaction\":{}}"
        }
        #expect(try line(text(256)).id != nil)
        #expect(try line(text(256, "\\u0061")).id?.string == String(repeating: "a", count: 256))
        for long in [text(257), text(129, "é"), text(1_000_000)] {
            #expect(throws: SigningError.idTooLong(limit: 256)) { try line(long) }
        }
    }

    @Test func findsRepeatedIDs() {
        var ids = BatchIDs()
        for number in 1...20_000 {
            #expect(ids.add(.string("\(number)"), line: number) == nil)
            #expect(ids.add(.number(number), line: number) == nil)
        }
        #expect(ids.add(.string("777"), line: 9) == 777)
        #expect(ids.add(.number(20_000), line: 9) == 20_000)
        #expect(ids.add(.string(""), line: 9) == nil)
        #expect(ids.add(.string("é"), line: 9) == nil && ids.add(.string("e\u{301}"), line: 10) == nil)
    }

    // MARK: actions

    /// Of all actions of the built-in ABIs, a script signs these without being asked to.
    @Test func onlyTheseActionsHaveNoEffect() {
        let all = BuiltInABI.all.flatMap { abi in
            abi.actions.filter { ActionEffect.withoutEffect.contains($0.text) }.map {
                "\(abi.account)::\($0.text)"
            }
        }
        #expect(
            Set(all) == [
                "core.vaulta::enforcebal", "core.vaulta::noop", "core.vaulta::swaptrace",
                "eosio::denyhashcalc",
                "eosio::getpeerkeys", "eosio::logbuyram", "eosio::logramchange", "eosio::logsellram",
                "eosio::logsystemfee", "eosio::reqauth",
            ])
    }

    private static func refused(
        _ actions: [String], naming named: [String] = [], byPolicies: Bool = false
    ) throws -> [String] {
        AllowedActions(named: Set(named.compactMap(ActionPattern.init)))
            .refused(of: try WarningTests.review(actions), byPolicies: byPolicies).map(\.text)
    }

    @Test func onlyKnownTransfersNeedNoName() throws {
        let buy = WarningTests.action(
            "eosio", "buyrambytes", #"{"payer":"alice","receiver":"mallory","bytes":4000000000}"#)
        let transfer = WarningTests.transfer("bob", "1.0000 EOS")
        let noop = WarningTests.action(
            "eosio", "logsystemfee", #"{"protocol":"ramfee","fee":"1.0000 EOS","memo":""}"#)
        #expect(try Self.refused([transfer, transfer, noop]).isEmpty)
        #expect(try Self.refused([transfer, buy, buy]) == ["eosio::buyrambytes"])
        #expect(try Self.refused([transfer, buy], naming: ["eosio::buyrambytes"]).isEmpty)
        #expect(
            try Self.refused([transfer, buy], naming: ["core.vaulta::buyrambytes"]) == ["eosio::buyrambytes"])
        #expect(try Self.refused([transfer, buy], byPolicies: true).isEmpty)
        // Another precision or code is another token.
        let other = WarningTests.transfer("bob", "1.000 EOS")
        #expect(try Self.refused([other]) == ["eosio.token::transfer"])
        #expect(try Self.refused([other], naming: ["eosio.token::transfer"]).isEmpty)
    }

    // MARK: warnings

    @Test func refusesWarnings() throws {
        let review = try WarningTests.review([WarningTests.transfer("bob", "0.0000 EOS")])
        #expect(throws: SigningError.warningRefused([.invalidAmount])) {
            try RefusedWarnings([.signedBefore, .invalidAmount], now: 0).expectNone(in: review, own: nil)
        }
        try RefusedWarnings([.signedBefore], now: 0).expectNone(in: review, own: nil)
        try RefusedWarnings.none.expectNone(in: review, own: nil)
    }
}
