import ABICodec
import Codecs
import JSON
import Testing

@testable import Transactions

/// `BuiltTransactionTests` (CommandTests) compares whole transactions with those of cleos. These
/// tests cover each refusal with its exact error.
struct NewActionTests {
    private static let alice = Result { try Name("alice") }
    private static let bob = Result { try Name("bob") }

    private static func amount(_ text: String, chain: String = "eos", contract: String? = nil) throws
        -> TokenAmount
    {
        try TokenAmount(text, chain: ChainID(chain), contract: contract.map { try Name($0) })
    }

    private static func expect(_ error: BuildError, _ step: () throws -> Void) {
        #expect(throws: error, performing: step)
    }

    // MARK: - amounts

    @Test(arguments: [
        ("1.0000 EOS", "eos", "eosio.token"), ("1.0000 A", "eos", "core.vaulta"),
        ("1.0000 A", "jungle4", "core.vaulta"),
        ("1.00000000 WAX", "wax", "eosio.token"), ("1.000000000 FIO", "fio", "fio.token"),
    ])
    func knownToken(text: String, chain: String, contract: String) throws {
        #expect(try Self.amount(text, chain: chain).contract.text == contract)
    }

    /// The system contract that takes the token: core.vaulta takes A, and eosio takes EOS.
    @Test func systemContract() throws {
        let (alice, bob) = (try Self.alice.get(), try Self.bob.get())
        for (text, account) in [("1.0000 EOS", "eosio"), ("1.0000 A", "core.vaulta")] {
            let amount = try Self.amount(text)
            let actions = try [
                ActionForm.buyRAM.action(
                    ["payer": .name(alice), "receiver": .name(bob), "quant": .amount(amount)]),
                Self.delegate(amount, amount, from: alice, to: bob),
                ActionForm.undelegateBandwidth.action([
                    "from": .name(alice), "receiver": .name(bob), "unstake_net_quantity": .amount(amount),
                    "unstake_cpu_quantity": .amount(amount),
                ]),
                Self.powerUp(1, 1, 1, amount, by: alice, for: bob),
            ]
            #expect(actions.allSatisfy { $0.account.text == account })
            var builder = TransactionBuilder(chain: try ChainID("eos"), abis: ContractABIs())
            for action in actions { try builder.add(action) }
        }
    }

    private static func delegate(
        _ net: TokenAmount, _ cpu: TokenAmount, from: Name, to receiver: Name, transfers: Bool = false
    ) throws -> NewAction {
        try ActionForm.delegateBandwidth.action([
            "from": .name(from), "receiver": .name(receiver), "stake_net_quantity": .amount(net),
            "stake_cpu_quantity": .amount(cpu), "transfer": .flag(transfers),
        ])
    }

    private static func powerUp(
        _ days: Int64, _ net: Int64, _ cpu: Int64, _ payment: TokenAmount, by payer: Name, for receiver: Name
    ) throws -> NewAction {
        try ActionForm.powerUp.action([
            "payer": .name(payer), "receiver": .name(receiver), "days": .number(days),
            "net_frac": .number(net),
            "cpu_frac": .number(cpu), "max_payment": .amount(payment),
        ])
    }

    @Test func precisionIsExact() throws {
        let known = try #require(KnownToken.all.first { $0.chain == "eos" && $0.symbol.code.text == "EOS" })
        for (text, precision) in [("1.0 EOS", UInt8(1)), ("1 EOS", 0), ("1.00000 EOS", 5)] {
            let symbol = try Symbol(precision: precision, code: SymbolCode("EOS"))
            Self.expect(.amount(.wrongPrecision(symbol, known: known))) { _ = try Self.amount(text) }
            // Another precision at the known contract is a mistake too, also if the contract is
            // given.
            Self.expect(.amount(.wrongPrecision(symbol, known: known))) {
                _ = try Self.amount(text, contract: "eosio.token")
            }
            #expect(try Self.amount(text, contract: "othertoken").contract.text == "othertoken")
        }
    }

    @Test func unknownTokensNeedTheirContract() throws {
        let other = String(repeating: "ab", count: 32)
        for (text, chain) in [("1.0000 GOLD", "eos"), ("1.0000 A", "kylin"), ("1.0000 EOS", other)] {
            let symbol = try Asset(text).symbol
            Self.expect(.amount(.unknownToken(symbol))) { _ = try Self.amount(text, chain: chain) }
            #expect(try Self.amount(text, chain: chain, contract: "bank").contract.text == "bank")
        }
    }

    @Test func transfersArePositive() throws {
        let (alice, bob) = (try Self.alice.get(), try Self.bob.get())
        func transfer(_ text: String, to: Name, memo: String = "") throws {
            _ = try ActionForm.transfer.action(
                [
                    "from": .name(alice), "to": .name(to), "quantity": .amount(Self.amount(text)),
                    "memo": .text(memo),
                ])
        }
        Self.expect(.amount(.notPositive)) { try transfer("0.0000 EOS", to: bob) }
        Self.expect(.amount(.negative)) { try transfer("-1.0000 EOS", to: bob) }
        Self.expect(.account(.transferToSelf)) { try transfer("1.0000 EOS", to: alice) }
        // 128 letters of two bytes.
        try transfer("1.0000 EOS", to: bob, memo: String(repeating: "é", count: 128))
        Self.expect(.account(.memoTooLong(limit: 256))) {
            try transfer("1.0000 EOS", to: bob, memo: String(repeating: "é", count: 128) + "x")
        }
    }

    @Test func stakes() throws {
        let (alice, bob) = (try Self.alice.get(), try Self.bob.get())
        func delegate(_ net: String, _ cpu: String, to receiver: Name, transfers: Bool = false) throws {
            _ = try Self.delegate(
                Self.amount(net), Self.amount(cpu), from: alice, to: receiver, transfers: transfers)
        }
        try delegate("0.0000 EOS", "0.0001 EOS", to: alice)
        Self.expect(.amount(.notPositive)) { try delegate("0.0000 EOS", "0.0000 EOS", to: bob) }
        Self.expect(.amount(.negative)) { try delegate("2.0000 EOS", "-1.0000 EOS", to: bob) }
        Self.expect(.amount(.differentTokens)) { try delegate("1.0000 EOS", "1.0000 A", to: bob) }
        Self.expect(.account(.stakeToSelf)) {
            try delegate("1.0000 EOS", "1.0000 EOS", to: alice, transfers: true)
        }
    }

    @Test func resources() throws {
        let (alice, bob) = (try Self.alice.get(), try Self.bob.get())
        func powerUp(_ days: Int64, _ net: Int64, _ cpu: Int64, _ pay: String = "1.0000 EOS") throws {
            _ = try Self.powerUp(days, net, cpu, Self.amount(pay), by: alice, for: bob)
        }
        func buy(_ form: ActionForm, _ field: String, _ value: FieldValue) throws {
            _ = try form.action(["payer": .name(alice), "receiver": .name(bob), field: value])
        }
        let whole: Int64 = 1_000_000_000_000_000
        try powerUp(1, 0, whole)
        Self.expect(.amount(.fractionTooLarge(limit: whole))) { try powerUp(1, whole + 1, 0) }
        Self.expect(.amount(.negativeFraction)) { try powerUp(1, 1, -1) }
        Self.expect(.amount(.zero)) { try powerUp(1, 0, 0) }
        Self.expect(.amount(.zero)) { try powerUp(0, 1, 0) }
        Self.expect(.amount(.notPositive)) { try powerUp(1, 1, 0, "0.0000 EOS") }
        Self.expect(.amount(.zero)) { try buy(.buyRAMBytes, "bytes", .number(0)) }
        Self.expect(.amount(.notPositive)) { try buy(.buyRAM, "quant", .amount(Self.amount("0.0000 EOS"))) }
    }

    @Test(arguments: [
        ("0", 0), ("15", 15), ("000000000000001", 1), ("1%", 10_000_000_000_000), ("0.0000000000001%", 1),
        ("1.50%", 15_000_000_000_000), ("100%", 1_000_000_000_000_000), ("0%", 0),
        ("33.3333333333333%", 333_333_333_333_333),
    ]) func share(text: String, units: Int64) throws {
        #expect(try ResourceShare(text).units == units)
    }

    @Test(arguments: [
        "", "%", ".%", "1.%", ".1%", "1 %", "+1", "1.5", "1e2%", "0x1%", "1.00000000000000%", "١%", "--1",
        "-", "1%%",
    ]) func notAShare(text: String) {
        #expect(throws: BuildError.amount(.notAShare)) { try ResourceShare(text) }
    }

    @Test func shareOutOfRange() {
        let tooLarge = BuildError.amount(.fractionTooLarge(limit: 1_000_000_000_000_000))
        for text in [
            "1000000000000001", "100.0000000000001%", "9223372036854775808", "92233720368547758070%",
        ] {
            #expect(throws: tooLarge) { try ResourceShare(text) }
        }
        for text in ["-1", "-0", "-99999999999999999999"] {
            #expect(throws: BuildError.amount(.negativeFraction)) { try ResourceShare(text) }
        }
    }

    // MARK: - accounts

    private static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"

    @Test func newAccountNames() throws {
        let (alice, authority) = (try Self.alice.get(), try AuthorityText(Self.key).authority(LabelledKeys()))
        func create(_ name: String) throws {
            let action = try ActionForm.newAccount.action(
                ["creator": .name(alice), "name": .name(Name(name)), "owner": .authority(authority)])
            let data = try JSONValue.parse(action.data)
            #expect(data["owner"]?.text() == authority.json.text())
            #expect(data["active"]?.text() == authority.json.text())
        }
        try create("twelveletter")
        Self.expect(.account(.nameTooLong)) { try create("thirteenlettj") }
        Self.expect(.account(.empty)) { try create("") }
    }

    @Test func parents() throws {
        let (alice, authority) = (try Self.alice.get(), try AuthorityText(Self.key).authority(LabelledKeys()))
        func update(_ permission: String, _ parent: String?) throws -> NewAction {
            var values: ActionValues = [
                "account": .name(alice), "permission": .name(try Name(permission)),
                "auth": .authority(authority),
            ]
            values["parent"] = try parent.map { .name(try Name($0)) }
            return try ActionForm.updateAuthority.action(values)
        }
        for (permission, parent) in [("owner", ""), ("active", "owner"), ("trading", "active")] {
            let action = try update(permission, nil)
            #expect(try JSONValue.parse(action.data)["parent"]?.string == parent)
            let by = permission == "owner" ? "alice@owner" : "alice@active"
            #expect(action.authorization.map(\.text) == [by])
            #expect(try update(permission, parent).data == action.data)
        }
        for (permission, parent) in [
            ("owner", "active"), ("active", "trading"), ("trading", "trading"), ("x", ""),
        ] {
            let error = BuildError.account(.wrongParent(try Name(parent), of: try Name(permission)))
            Self.expect(error) { _ = try update(permission, parent) }
        }
        Self.expect(.account(.reservedPermission(try Name("eosio.x")))) { _ = try update("eosio.x", nil) }
        Self.expect(.account(.empty)) { _ = try update("", nil) }
    }

    @Test func links() throws {
        let alice = try Self.alice.get()
        func link(_ code: String, _ type: String?, _ requirement: String) throws -> NewAction {
            var values: ActionValues = [
                "account": .name(alice), "code": .name(try Name(code)),
                "requirement": .name(try Name(requirement)),
            ]
            values["type"] = try type.map { .name(try Name($0)) }
            return try ActionForm.linkAuthority.action(values)
        }
        let all = try link("bob", nil, "x")
        #expect(try JSONValue.parse(all.data)["type"]?.string == "")
        for (code, type, requirement) in [("", "a", "x"), ("bob", "", "x"), ("bob", "a", "")] {
            Self.expect(.account(.empty)) { _ = try link(code, type, requirement) }
        }
    }

    @Test func votes() throws {
        let alice = try Self.alice.get()
        func vote(_ producers: [String], proxy: String? = nil) throws -> NewAction {
            var values: ActionValues = [
                "voter": .name(alice), "producers": .list(try producers.map { .name(try Name($0)) }),
            ]
            values["proxy"] = try proxy.map { .name(try Name($0)) }
            return try ActionForm.voteProducer.action(values)
        }
        // By value, not by text: a dot is before 1, and 1 before a.
        let sorted = try JSONValue.parse(vote(["b", "aa", "a1", "a.b", "a"]).data)["producers"]?.text()
        #expect(sorted == #"["a","a.b","a1","aa","b"]"#)
        let letters = "abcdefghijklmnopqrstuvwxyz12345".map { String($0) }
        #expect(letters.count == 31)
        _ = try vote(Array(letters.prefix(30)))
        Self.expect(.vote(.tooManyProducers(limit: 30))) { _ = try vote(letters) }
        Self.expect(.vote(.duplicateProducer(try Name("a")))) { _ = try vote(["a", "b", "a"]) }
        Self.expect(.vote(.producersAndProxy)) { _ = try vote(["a"], proxy: "b") }
        Self.expect(.vote(.nobody)) { _ = try vote([]) }
        Self.expect(.account(.empty)) { _ = try vote([], proxy: "") }
    }

    /// Each rule is about fields that the ABI has.
    @Test func fieldsAreThoseOfTheABI() {
        let forms: [(ActionForm, [String])] = [
            (.transfer, ["from", "to", "quantity", "memo"]), (.claimRewards, ["owner"]),
            (.voteProducer, ["voter", "proxy", "producers"]),
            (.approve, ["proposer", "proposal_name", "level", "proposal_hash"]),
        ]
        for (form, names) in forms { #expect(form.fields.map(\.name) == names) }
    }

    /// A value that is missing, or of another type, is an error at its field.
    @Test func missingValues() {
        Self.expect(.value(ABIError(.missingField("from")))) { _ = try ActionForm.transfer.action([:]) }
        Self.expect(.value(ABIError(.missingField("owner")))) {
            _ = try ActionForm.claimRewards.action(["owner": .text("alice")])
        }
    }

    // MARK: - permissions

    @Test(arguments: ["alice", "alice@", "@active", "a@b@c", "", "@"])
    func notAPermission(text: String) {
        #expect(throws: BuildError.account(.notAPermission)) { try PermissionLevel(text) }
    }

    @Test func activeIsTheDefault() throws {
        #expect(try PermissionLevel(activeByDefault: "alice").text == "alice@active")
        #expect(try PermissionLevel(activeByDefault: "alice@owner").text == "alice@owner")
        #expect(throws: BuildError.account(.notAPermission)) { try PermissionLevel(activeByDefault: "") }
        #expect(throws: BuildError.value(ABIError(.invalidNameCharacter(offset: 0)))) {
            try PermissionLevel("A@b")
        }
    }

    // MARK: - the transaction

    /// `sign` refuses the transaction for another chain.
    @Test func statesItsChain() throws {
        var builder = TransactionBuilder(chain: try ChainID("jungle4"), abis: ContractABIs())
        try builder.add(ActionForm.claimRewards.action(["owner": .name(Self.alice.get())]))
        let made = try builder.transaction(expiration: TimePointSec(seconds: 7), reference: .none)
        let again = try SignedTransaction(
            reading: Array(made.jsonWithChain.text().utf8), abis: ContractABIs())
        #expect(again.packed == made.packed)
        #expect(throws: TransactionError.otherChain(stated: try ChainID("jungle4"))) {
            try again.expectChain(ChainID("eos"))
        }
    }

    @Test func contractsNeedAnABI() throws {
        let action = NewAction(
            account: try Name("mytoken"), name: try Name("issue"),
            authorization: [try PermissionLevel("alice@active")], json: Array("{}".utf8))
        var builder = TransactionBuilder(chain: try ChainID("eos"), abis: ContractABIs())
        #expect(throws: BuildError.transaction(.noABI(path: "data", account: try Name("mytoken")))) {
            try builder.add(action)
        }
    }
}
