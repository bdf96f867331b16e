import ABICodec
import Codecs
import JSON
import Keys
import TestSupport
import Transactions

@testable import Policy

/// Random policies and requests that often match them.
struct RandomPolicy {
    private var random: SplitMix

    init(seed: UInt64) { random = SplitMix(seed: seed) }

    // MARK: - choices

    private mutating func any<Element>(_ list: [Element]) -> Element {
        list[Int.random(in: 0..<list.count, using: &random)]
    }

    private mutating func happens(_ percent: Int) -> Bool {
        Int.random(in: 0..<100, using: &random) < percent
    }

    private mutating func some<Element>(_ list: [Element], _ count: ClosedRange<Int>) -> [Element] {
        Array(list.shuffled(using: &random).prefix(Int.random(in: count, using: &random)))
    }

    private mutating func list<Element>(
        _ count: ClosedRange<Int>, _ make: (inout RandomPolicy) throws -> Element
    ) rethrows -> [Element] {
        let count = Int.random(in: count, using: &random)
        var list: [Element] = []
        for _ in 0..<count { list.append(try make(&self)) }
        return list
    }

    private static let now: UInt32 = 1_796_083_200
    private static let accounts = ["alice", "bob", "carol", "eosio"]
    private static let permissions = ["active", "active", "pay", "owner"]
    private static let tokens = [
        "4,EOS@eosio.token", "4,EOS@eosio.token", "4,A@core.vaulta", "4,A@core.vaulta", "0,GEM@gems",
        "0,GEM@gems",
        "4,EOS@gems", "4,REX@eosio", "0,EOS@eosio.token",
    ]
    private static let memos = [
        "", "invoice 1", "invoice 27", "7", "a*b", "é", "e\u{301}", "1.0000 EOS", "true",
    ]
    private static let patterns = [
        "*", "invoice *", "invoice [0-9]+", "?", "[^0-9]", "a\\*b", "", "[a-z]*[0-9]", "*[0-9]", "[a-z]+ ?",
        "\\?",
        "[\\]é-]", "*e*",
    ]

    private mutating func quantity(_ symbol: String) -> String {
        let amount = any([0, 1, 5, 9_999, 10_000, 10_001, 20_000, 100_000, 1 << 61])
        return symbol.hasPrefix("4,")
            ? "\(amount / 10_000).\(String(10_000 + amount % 10_000).dropFirst()) \(symbol.dropFirst(2))"
            : "\(amount) \(symbol.dropFirst(2))"
    }

    private mutating func asset() -> String { quantity(any(["4,EOS", "4,EOS", "4,A", "0,GEM"])) }

    // MARK: - actions

    /// The kinds of actions, with the types of their fields.
    private static let kinds: [(contracts: [String], name: String, fields: String)] = [
        (["eosio.token", "core.vaulta", "gems"], "transfer", "from:name to:name quantity:asset memo:text"),
        (["eosio.token", "core.vaulta", "gems"], "transfer", "from:name to:name quantity:asset memo:text"),
        (["gems"], "issue", "to:name quantity:asset memo:text"),
        (["gems"], "retire", "quantity:asset memo:text"),
        (["eosio", "core.vaulta"], "buyram", "payer:name receiver:name quant:asset"),
        (["eosio", "core.vaulta"], "buyrambytes", "payer:name receiver:name bytes:number"),
        (
            ["eosio", "core.vaulta"], "delegatebw",
            "from:name receiver:name stake_net_quantity:asset stake_cpu_quantity:asset transfer:bool"
        ),
        (
            ["eosio", "core.vaulta"], "undelegatebw",
            "from:name receiver:name unstake_net_quantity:asset unstake_cpu_quantity:asset"
        ),
        (["eosio"], "powerup", "payer:name receiver:name days:number max_payment:asset"),
        (["eosio"], "buyrex", "from:name amount:asset"), (["eosio"], "deposit", "owner:name amount:asset"),
        (["eosio"], "withdraw", "owner:name amount:asset"), (["eosio"], "sellrex", "from:name rex:asset"),
        (["eosio"], "rentcpu", "from:name receiver:name loan_payment:asset loan_fund:asset"),
        (["eosio"], "fundnetloan", "from:name loan_num:number payment:asset"),
        (["gems", "eosio.token"], "transfer", "sender:name to:name quantity:asset"),
        (["gems"], "issue", "to:name amount:asset"),
        (["eosio"], "bidname", "bidder:name newname:name bid:asset"),
        (["eosio", "core.vaulta"], "buyramself", "account:name quant:asset"),
        (["core.vaulta"], "swapto", "from:name to:name quantity:asset memo:text"),
        (["eosio"], "voteproducer", "voter:name proxy:name producers:names"),
        (["dex"], "order", "account:name amount:number price:asset owners:names side:variant note:optional"),
        (["eosio.msig"], "propose", "proposer:name proposal_name:name"),
        (["eosio.msig"], "approve", "proposer:name proposal_name:name"),
        (["eosio.wrap"], "exec", "executer:name"),
    ]

    private mutating func value(_ type: String) throws -> TypedValue {
        switch type {
        case "name": .name(try Name(any(Self.accounts)))
        case "asset": .asset(try Asset(asset()))
        case "text": .text(any(Self.memos))
        case "number": .unquoted(any(["0", "1", "7", "4294967295"]))
        case "bool": .unquoted(any(["true", "false"]))
        case "names": .list(try list(0...3) { .name(try Name($0.any(Self.accounts))) })
        case "variant": .alternative(type: any(["buy", "sell"]), .plain("18446744073709551615"))
        default: happens(50) ? .absent : .fields([TypedField(name: "a/b~c", value: .text(any(Self.memos)))])
        }
    }

    private mutating func action(depth: Int) throws -> RequestedAction {
        let kind = any(Self.kinds)
        let fields = try kind.fields.split(separator: " ").map { field in
            let parts = field.split(separator: ":")
            return TypedField(name: String(parts[0]), value: try value(String(parts[1])))
        }
        var inner = RequestedAction.Inner.none
        switch kind.name {
        case "propose", "exec":
            if depth < 3 { inner = .transaction(try list(0...3) { try $0.action(depth: depth + 1) }) }
        case "approve":
            inner =
                happens(50) || depth > 2
                ? .unknownProposal : .transaction(try list(1...2) { try $0.action(depth: depth + 1) })
        default: break
        }
        let isContextFree = kind.name != "retire" && happens(3)
        let levels =
            isContextFree
            ? []
            : list(1...(happens(10) ? 2 : 1)) { random in
                "\(random.any(["alice", "alice", "alice", "bob"]))@\(random.any(Self.permissions))"
            }
        return RequestedAction(
            action: Action(
                account: try Name(any(kind.contracts)), name: try Name(kind.name),
                authorization: try levels.map(Sample.level), data: []),
            value: happens(3) ? nil : .fields(fields), isContextFree: isContextFree,
            hasGivenABI: happens(5), inner: inner)
    }

    // MARK: - policies

    private static let warnings = ["signed-before", "outlier", "expired", "owner-used", "blind"]

    private mutating func policy(for actions: [RequestedAction]) -> JSONValue {
        var members: [JSONMember] = [
            JSONMember("version", .number("1")),
            JSONMember(
                "chains", .array(some(happens(95) ? ["eos"] : ["jungle4", "eos"], 1...1).map { .string($0) })),
        ]
        if happens(50) { members.append(JSONMember("identity", .string(any(["allow", "deny"])))) }
        if happens(60) { members.append(JSONMember("transaction", conditions())) }
        if happens(20) {
            members.append(JSONMember("refuse", .array(some(Self.warnings, 1...2).map { .string($0) })))
        }
        var rules = list(0...2) { $0.rule(for: nil) }
        for action in actions { if happens(97) { rules.append(rule(for: action)) } }
        members.append(JSONMember("rules", .array(rules.shuffled(using: &random))))
        if happens(40) {
            members.append(JSONMember("amounts", .array(Self.unique(list(1...3) { $0.amount() }))))
        }
        if happens(70) { members.append(JSONMember("limits", .array(list(1...4) { $0.limit() }))) }
        return .object(members)
    }

    private mutating func conditions() -> JSONValue {
        var members: [JSONMember] = []
        if happens(30) {
            members.append(JSONMember("max_expiration_seconds", .number(any([59, 60, 61, 3_600]))))
        }
        if happens(30) { members.append(JSONMember("max_actions", .number(any([1, 2, 3, 5, 9])))) }
        if happens(20) {
            let hours = [
                "mon-fri 00:00-24:00", "tue 00:00-00:01", "sat-tue 12:30-18:00", "mon 08:00-18:00",
                "sun 23:59-24:00",
            ]
            members.append(JSONMember("hours", .array(some(hours, 1...3).map { .string($0) })))
        }
        if happens(30) { members.append(JSONMember("confirm", .string("always"))) }
        if happens(20) { members.append(JSONMember("cosigner", ["first": .string(Sample.key)])) }
        if happens(50) {
            members.append(JSONMember("context_free_actions", .string(any(["rules", "never"]))))
        }
        return .object(members)
    }

    /// A rule that often matches an action.
    private mutating func rule(for requested: RequestedAction?) -> JSONValue {
        let kind = any(Self.kinds)
        let action = requested?.action
        var members: [JSONMember] = [
            JSONMember("contract", .string(action?.account.text ?? any(kind.contracts))),
            JSONMember("action", .string(happens(15) ? "*" : action?.name.text ?? kind.name)),
        ]
        if happens(60) {
            let known = (action?.authorization ?? []).filter { _ in happens(90) }.map(\.text)
            let patterns = known + some(["alice@active", "alice@*", "*@pay", "*@*", "bob@active"], 0...2)
            let unique = Set(patterns).sorted()
            if !unique.isEmpty {
                members.append(JSONMember("authorization", .array(unique.map { .string($0) })))
            }
        }
        if happens(50), let json = requested?.value?.json {
            var fields: [JSONMember] = []
            for field in some(json.object ?? [], 1...2) {
                let pointer = "/" + field.key
                if let elements = field.value.array, happens(30) {
                    let index = Int.random(in: 0...elements.count, using: &random)
                    fields.append(JSONMember("\(pointer)/\(index)", test(for: elements.first?.string)))
                } else if field.value.object != nil, happens(90) {
                    fields.append(JSONMember(pointer + "/a~1b~0c", test(for: field.value["a/b~c"]?.string)))
                } else {
                    fields.append(JSONMember(pointer, test(for: field.value.string ?? field.value.number)))
                }
            }
            if !fields.isEmpty { members.append(JSONMember("fields", .object(fields))) }
        }
        if happens(40) {
            members.append(JSONMember("unknown_proposal", .string(any(["allow", "allow", "deny"]))))
        }
        if happens(20) { members.append(JSONMember("given_abi", .string(any(["allow", "deny"])))) }
        let isExact = members[1].value.string != "*" && members.allSatisfy { $0.key != "fields" }
        let isBuiltIn = try? BuiltInABI.newest(for: Name(members[0].value.string ?? "")) != nil
        if isExact, isBuiltIn == false, happens(requested?.value == nil ? 80 : 10) {
            members.append(JSONMember("blind", .string(any(["allow", "allow", "deny"]))))
        }
        return .object(members)
    }

    private mutating func test(for text: String?) -> JSONValue {
        let values = Self.accounts + Self.memos + ["true", "buy"]
        let text = happens(80) ? text ?? any(values) : any(values)
        var tests: [JSONMember] = []
        if happens(25) { tests.append(JSONMember("equals", .string(text))) }
        if happens(25) {
            let list = Set(some(values, 1...3) + (happens(70) ? [text] : []))
            tests.append(JSONMember("one_of", .array(list.sorted().map { .string($0) })))
        }
        if happens(25) { tests.append(JSONMember("prefix", .string(String(text.prefix(any([0, 1, 3])))))) }
        if happens(25) { tests.append(JSONMember("pattern", .string(any(Self.patterns)))) }
        if Bound(text) != nil || tests.isEmpty {
            let bound = Bound(text) != nil && happens(80) ? text : any(["5", "-1", "10.0000 EOS"])
            tests.append(JSONMember(any(["min", "max"]), .string(bound)))
        }
        return .object(tests)
    }

    private mutating func amount() -> JSONValue {
        let isOrder = happens(85)
        var members: [JSONMember] = [
            JSONMember("contract", .string(isOrder ? "dex" : "gems")),
            JSONMember("action", .string(isOrder ? "order" : any(["transfer", "issue"]))),
            JSONMember(
                "amount", .string(isOrder ? any(["/amount", "/price", "/price", "/amounts"]) : "/quantity")),
            JSONMember("token", .string(any(Self.tokens))),
        ]
        if happens(50) { members.append(JSONMember("recipient", .string(any(["/account", "/owners/0"])))) }
        return .object(members)
    }

    private mutating func limit() -> JSONValue {
        var members: [JSONMember] = []
        let token = any(Self.tokens)
        var hasToken = true
        if happens(60) {
            let parts = token.split(separator: "@").map(String.init)
            members.append(JSONMember("amount", .string("\(quantity(parts[0]))@\(parts[1])")))
        } else {
            members.append(JSONMember("count", .number(any([1, 2, 3, 5, 10]))))
            hasToken = happens(50)
            if hasToken { members.append(JSONMember("token", .string(token))) }
        }
        members.append(JSONMember("per", .string(any(Limit.Period.allCases.map(\.rawValue)))))
        if happens(40) { members.append(JSONMember("each_recipient", .boolean(hasToken && happens(80)))) }
        return .object(members)
    }

    // MARK: - histories

    private mutating func entry() throws -> PolicyEntry {
        let edge = any([3_600, 86_400, 604_800, 2_592_000] as [UInt32])
        let age =
            happens(40)
            ? edge + any([0, 1, 2, edge / 256, edge / 128]) - 1
            : UInt32.random(in: 0...3_000_000, using: &random)
        let token = happens(80) ? Token(any(Self.tokens)) : nil
        // A transaction has one expiration.
        let id = UInt8.random(in: 0...40, using: &random)
        return PolicyEntry(
            time: Self.now - age, transaction: [UInt8](repeating: id, count: 32),
            expiration: Self.now - 1 + [0, 1, 2, 61][Int(id % 4)],
            token: token, recipient: token != nil && happens(60) ? try Name(any(Self.accounts)) : nil,
            amount: token == nil ? 0 : any([0, 1, 5_000, 10_000, .max]), count: any([1, 1, 2]))
    }

    // MARK: - changes

    /// A policy, another one with many of its parts, and a request for both.
    mutating func change() throws -> (
        old: KeyPolicy, new: KeyPolicy, request: PolicyRequest, history: [PolicyEntry]
    ) {
        let actions = try list(1...2) { try $0.action(depth: 0) }
        let request = PolicyRequest(
            chain: try ChainID("eos"), transaction: [UInt8](repeating: 7, count: 32),
            expiration: TimePointSec(seconds: Self.now + any([0, 60, 61])),
            actions: actions, signers: try happens(50) ? [PublicKey(Sample.key)] : [])
        let (old, other) = (policy(for: request.allActions), policy(for: request.allActions))
        let names = ["version", "chains", "identity", "transaction", "rules", "amounts", "limits"]
        let members = names.compactMap { name in
            mixed(name, old[name], other[name]).map { JSONMember(name, $0) }
        }
        let history = try list(0...6) { try $0.entry() }
        return (
            try KeyPolicy(Array(old.text().utf8)),
            try KeyPolicy(Array(JSONValue.object(members).text().utf8)), request,
            history
        )
    }

    /// A member of a new policy: the old one, another one, or some parts of both.
    private mutating func mixed(_ name: String, _ old: JSONValue?, _ other: JSONValue?) -> JSONValue? {
        guard ["transaction", "rules", "amounts", "limits"].contains(name), happens(70) else {
            return name == "version" || name == "chains" || happens(80) ? old : other
        }
        if name == "transaction" {
            let kept = (old?.object ?? []).filter { _ in happens(85) }
            let added = (other?.object ?? []).filter { member in
                happens(30) && !kept.contains { $0.key == member.key }
            }
            return .object(kept + added)
        }
        let kept = (old?.array ?? []).filter { _ in happens(85) }
        let parts = kept + (other?.array ?? []).filter { _ in happens(name == "rules" ? 5 : 30) }
        return .array((name == "amounts" ? Self.unique(parts) : parts).shuffled(using: &random))
    }

    /// The amounts without those of a field that has the same token already.
    private static func unique(_ amounts: [JSONValue]) -> [JSONValue] {
        var seen: Set<[String]> = []
        return amounts.filter { amount in
            seen.insert(["action", "amount", "token"].map { amount[$0]?.string ?? "" }).inserted
        }
    }

    // MARK: - cases

    /// A case with the verdict of the program, and what decided.
    mutating func line() throws -> (text: String, member: String) {
        let actions = try list(happens(97) ? 1...2 : 0...0) { try $0.action(depth: 0) }
        let isIdentity = happens(4)
        var request = PolicyRequest(
            chain: try ChainID("eos"), transaction: [UInt8](repeating: happens(90) ? 77 : 7, count: 32),
            expiration: TimePointSec(seconds: Self.now + any([0, 59, 60, 61, 62, 4_000])),
            actions: isIdentity ? [] : actions, signers: try happens(50) ? [PublicKey(Sample.key)] : [],
            isIdentity: isIdentity)
        if happens(50) { request.warnings = Set(some(Self.warnings, 0...2)) }
        let policy = policy(for: request.allActions)
        let history = try happens(70) ? list(0...12) { try $0.entry() } : []
        let last: UInt32? =
            happens(30)
            ? nil : any([Self.now, Self.now + 1, Self.now + 3_600, Self.now - 90_000, Self.now - 90_001])
        let window = any(Limit.Period.allCases.compactMap(\.seconds))
        let restored: UInt32? =
            happens(75) ? nil : any([Self.now + 5, Self.now, Self.now - window, Self.now - window + 1])
        return try Self.line(policy, request, history, last: last, restored: restored)
    }

    /// A case near the greatest number of sums.
    mutating func fullRoom() throws -> (text: String, member: String) {
        let actions = try list(1...4) { random in
            try Sample.transfer("1.0000 EOS", to: random.any(["alice", "bob", "carol", "dave"]))
        }
        let policy: JSONValue = [
            "version": .number("1"), "chains": .array([.string("eos")]),
            "rules": .array([["contract": .string("eosio.token"), "action": .string("transfer")]]),
            "limits": .array([
                [
                    "count": .number(any([15, 20_000, 20_000])), "token": .string("4,EOS@eosio.token"),
                    "per": .string("24h"),
                    "each_recipient": .boolean(happens(90)),
                ],
                [
                    "amount": .string(any(["2.0009 EOS@eosio.token", "500.0000 EOS@eosio.token"])),
                    "per": .string("1h"),
                    "each_recipient": .boolean(happens(50)),
                ],
                ["count": .number(20_000), "per": .string(any(["1h", "7d"]))],
            ]),
        ]
        let request = PolicyRequest(
            chain: try ChainID("eos"), transaction: [UInt8](repeating: 7, count: 32),
            expiration: TimePointSec(seconds: Self.now), actions: actions)
        let recipients = ["alice", "bob", "erin", "frank", "grace", "heidi"].prefix(any([1, 3, 6]))
        let longest = any([3_600, 20_000, 90_000]) as UInt32
        let history = try list(20...60) { random in
            PolicyEntry(
                time: Self.now - UInt32.random(in: 0...longest, using: &random.random),
                transaction: [UInt8](repeating: 8, count: 32), expiration: Self.now,
                token: Token("4,EOS@eosio.token"), recipient: try Name(random.any(Array(recipients))),
                amount: 1,
                count: 1)
        }
        return try Self.line(policy, request, history, last: Self.now, restored: nil, room: any([6, 8, 12]))
    }

    private static func line(
        _ policy: JSONValue, _ request: PolicyRequest, _ history: [PolicyEntry], last: UInt32?,
        restored: UInt32?, room: Int = LimitUses.maximumSumCount
    ) throws -> (text: String, member: String) {
        let read = try KeyPolicy(Array(policy.text().utf8))
        let history = history.sorted { $0.time < $1.time }
        let uses = read.uses(after: history, maximum: room)
        let verdict = read.evaluate(request, uses: uses, clock: now, last: last, restored: restored)
        let line: JSONValue = [
            "policy": policy,
            "request": [
                "chain": .string(request.chain.text), "id": .string(Hex.encode(request.transaction)),
                "expiration": .number(request.expiration.seconds), "identity": .boolean(request.isIdentity),
                "signers": .array(request.signers.map { .string($0.text) }),
                "warnings": .array(request.warnings.sorted().map { .string($0) }),
                "actions": .array(request.actions.map(json)),
            ],
            "history": .array(
                history.map { entry in
                    [
                        "time": .number(entry.time), "transaction": .string(Hex.encode(entry.transaction)),
                        "expiration": .number(entry.expiration),
                        "token": entry.token.map { .string($0.text) } ?? .null,
                        "recipient": entry.recipient.map { .string($0.text) } ?? .null,
                        "amount": .number(entry.amount), "count": .number(entry.count),
                    ]
                }), "clock": .number(now), "last": last.map { .number($0) } ?? .null,
            "restored": restored.map { .number($0) } ?? .null, "room": .number(room),
            "verdict": json(verdict),
        ]
        return (line.text(), decision(verdict))
    }

    private static func json(_ action: RequestedAction) -> JSONValue {
        let inner: JSONValue =
            switch action.inner {
            case .none: .null
            case .unknownProposal: .string("unknown")
            case .transaction(let actions): .array(actions.map(json))
            }
        return [
            "account": .string(action.action.account.text), "name": .string(action.action.name.text),
            "authorization": .array(
                action.action.authorization.map {
                    ["actor": .string($0.actor.text), "permission": .string($0.permission.text)]
                }), "data": action.value?.json ?? .null, "context_free": .boolean(action.isContextFree),
            "given_abi": .boolean(action.hasGivenABI), "inner": inner,
        ]
    }

    private static func json(_ verdict: PolicyVerdict) -> JSONValue {
        switch verdict {
        case .allowed(let allowance):
            return [
                "allowed": .boolean(true), "rules": .array(allowance.rules.map { .number($0) }),
                "confirmations": .array(
                    allowance.confirmations.map { .string($0 == .always ? "always" : "clock") }),
                "entries": .array(
                    allowance.entries.map { entry in
                        .array([
                            entry.token.map { .string($0.text) } ?? .null,
                            entry.recipient.map { .string($0.text) } ?? .null, .number(entry.amount),
                            .number(entry.count),
                        ])
                    }),
            ]
        case .denied(let denial):
            let json: JSONValue = ["allowed": .boolean(false), "member": .string(denial.member)]
            func time(_ seconds: UInt32?) -> JSONValue { seconds.map { .number($0) } ?? .null }
            switch denial.reason {
            case .limit(let exceeded):
                return json.adding([
                    "value": .number(exceeded.value), "used": .number(exceeded.used),
                    "resets": time(exceeded.resets),
                ])
            case .otherPrecision(let token): return json.adding(["token": .string(token.text)])
            case .roomFull(let free): return json.adding(["resets": time(free)])
            default: return denial.action.map { json.adding(["path": .string($0.path)]) } ?? json
            }
        }
    }

    /// The member that decided, without numbers and pointers.
    private static func decision(_ verdict: PolicyVerdict) -> String {
        guard case .denied(let denial) = verdict else { return "allowed" }
        let parts = denial.member.split(separator: "/")
        switch denial.part {
        case .policy: return denial.member
        case .amount: return "/amounts"
        case .limit where denial.reason.isOtherPrecision: return "/limits/precision"
        case .limit where denial.action != nil: return "/limits/unreadable"
        case .rule where parts.count == 2: return "/rules/owner"
        case .rule, .limit: return "/\(parts[0])/\(parts[parts.count - 1])"
        }
    }
}

extension PolicyDenial.Reason {
    fileprivate var isOtherPrecision: Bool { if case .otherPrecision = self { true } else { false } }
}
