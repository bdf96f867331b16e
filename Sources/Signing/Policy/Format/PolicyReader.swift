import ABICodec
import JSON
import Keys
import Transactions

extension KeyPolicy {
    /// Reads a policy. All of it is checked; nothing is repaired or ignored.
    /// - Parameter names: the names that `chains` may have.
    package init(_ text: [UInt8], names: ChainNames = .builtIn) throws(PolicyError) {
        func failure(_ reason: PolicyError.Reason, _ line: Int, _ column: Int) -> PolicyError {
            PolicyError(reason: reason, place: TextPlace(line: line, column: column))
        }
        let limit = Self.maximumSize
        let value: LocatedValue
        do throws(JSONError) {
            value = try LocatedValue.parse(
                text, limits: JSONLimits(depth: PolicyReader.maximumDepth, size: limit))
        } catch {
            if case .tooLong = error.reason { throw failure(.tooLong(limit: limit), 1, 1) }
            throw failure(
                PolicyReader.isComment(error, in: text) ? .comment : .json(error.reason), error.line,
                error.column)
        }
        do throws(PolicyFault) { self = try PolicyReader.policy(value, names, in: text) } catch {
            throw PolicyError(reason: error.reason, place: error.place(in: text))
        }
        // A few characters have a longer text in the canonical form, DEL for example.
        guard canonical.count <= limit else { throw failure(.tooLong(limit: limit), 1, 1) }
    }
}

/// Reads the parts of a policy.
enum PolicyReader {
    static let maximumDepth = 8
    static let version = "1"

    /// True if a comment is where JSON has a value, a comma or a bracket.
    static func isComment(_ error: JSONError, in text: [UInt8]) -> Bool {
        guard case .unexpectedByte(let byte) = error.reason else {
            return error.reason == .trailingBytes && error.offset < text.count && isMark(text[error.offset])
        }
        return isMark(byte)
    }

    private static func isMark(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "/") || byte == UInt8(ascii: "#")
    }

    static func policy(
        _ value: LocatedValue, _ names: ChainNames, in text: [UInt8]
    ) throws(PolicyFault) -> KeyPolicy {
        let object = try PolicyObject(
            value, ["version", "chains", "identity", "transaction", "refuse", "rules", "amounts", "limits"],
            refusing: false)
        // A newer version may have other members, so its number is the first error.
        let version = try object.required("version")
        guard version.scalar?.number == Self.version else {
            throw PolicyFault(reason: .version(version.excerpt), offset: version.offset)
        }
        try object.refuseUnknown()
        let chains = try object.required("chains").list { value throws(PolicyFault) in
            try value.chain(names)
        }
        let rules = try object.elements("rules", limit: KeyPolicy.maximumRuleCount)
        let limits = try object.elements("limits", limit: KeyPolicy.maximumLimitCount)
        let amounts = try object.elements("amounts", limit: KeyPolicy.maximumLimitCount)
        let readRules = try rules.map(rule)
        let readLimits = try limits.map(limit)
        let readAmounts = try amounts.map(amount)
        try refuseRepeatedNames(readRules.map(\.name), rules)
        try refuseRepeatedNames(readLimits.map(\.name), limits)
        try refuseRepeatedNames(readAmounts.map(\.key), amounts)
        let conditions = try object["transaction"].map(conditions)
        let refused = try object["refuse"]?.list { value throws(PolicyFault) in
            try value.choice(WarningCode.refusable)
        }
        return KeyPolicy(
            chains: chains,
            allowsIdentity: try object["identity"]?.choice(["deny", "allow"]) == "allow",
            conditions: conditions ?? TransactionConditions(), refusedWarnings: refused ?? [],
            rules: readRules,
            amounts: readAmounts,
            limits: readLimits,
            places: (
                TextPlace.all(of: rules.map(\.offset), in: text),
                TextPlace.all(of: amounts.map(\.offset), in: text),
                TextPlace.all(of: limits.map(\.offset), in: text)
            ))
    }

    // MARK: - transaction

    private static func conditions(_ value: LocatedValue) throws(PolicyFault) -> TransactionConditions {
        let object = try PolicyObject(
            value,
            ["max_expiration_seconds", "max_actions", "hours", "confirm", "cosigner", "context_free_actions"])
        var conditions = TransactionConditions()
        conditions.maximumExpiration = try object["max_expiration_seconds"]?.integer(1...UInt32.max)
        conditions.maximumActionCount = try object["max_actions"]?.integer(1...UInt32.max)
        if let list = object["hours"] {
            var hours = WeekHours()
            _ = try list.list { value throws(PolicyFault) in
                let text = try value.text()
                if let fault = hours.add(text) { throw value.fault(fault) }
                return text
            }
            conditions.hours = hours
        }
        conditions.alwaysConfirms = try object["confirm"]?.choice(["always"]) != nil
        if let value = object["cosigner"] {
            let cosigner = try PolicyObject(value, ["first"])
            let key = try cosigner.required("first")
            let text = try key.text()
            do throws(KeyTextError) { conditions.firstCosigner = try PublicKey(text) } catch {
                throw key.fault(.key(error))
            }
        }
        conditions.allowsContextFreeActions =
            try object["context_free_actions"]?.choice(["never", "rules"]) == "rules"
        return conditions
    }

    // MARK: - rules

    private static func rule(_ value: LocatedValue) throws(PolicyFault) -> Rule {
        let object = try PolicyObject(
            value,
            [
                "name", "contract", "action", "authorization", "fields", "unknown_proposal", "given_abi",
                "blind",
            ])
        let action = try object.required("action")
        let authorization = try object["authorization"]?.list { value throws(PolicyFault) in
            try value.expect(AuthorizationPattern(value.text()), orThrow: .authorization)
        }
        var fields: [FieldCondition] = []
        if let value = object["fields"] {
            let members = try value.members()
            guard !members.isEmpty else { throw value.fault(.empty) }
            fields = try members.map(field)
        }
        let name = try action.text() == "*" ? nil : try action.name()
        let allowsBlind = try object["blind"]?.choice(["deny", "allow"]) == "allow"
        let contract = try object.required("contract").name()
        if allowsBlind, let value = object["blind"] {
            guard name != nil, fields.isEmpty else { throw value.fault(.blind) }
            // A client can make any data undecodable, for example by a byte more.
            guard BuiltInABI.newest(for: contract) == nil else { throw value.fault(.blindBuiltIn) }
        }
        return Rule(
            name: try object.name(), contract: contract,
            action: name, authorization: authorization ?? [], fields: fields,
            allowsUnknownProposal: try object["unknown_proposal"]?.choice(["deny", "allow"]) == "allow",
            allowsGivenABI: try object["given_abi"]?.choice(["deny", "allow"]) == "allow",
            allowsBlind: allowsBlind)
    }

    private static func field(_ member: LocatedValue.Member) throws(PolicyFault) -> FieldCondition {
        guard let pointer = FieldPointer(member.key) else {
            throw PolicyFault(reason: .value(.pointer), offset: member.offset)
        }
        let object = try PolicyObject(member.value, ["equals", "one_of", "prefix", "pattern", "min", "max"])
        var tests: [FieldTest] = []
        if let value = object["equals"] { tests.append(.equals(try value.scalarText())) }
        if let list = object["one_of"] {
            // Bytes differ where Swift's strings are equal.
            let texts = try list.list { value throws(PolicyFault) in Array(try value.scalarText().utf8) }
            tests.append(.oneOf(texts.map { String(decoding: $0, as: UTF8.self) }, Set(texts)))
        }
        if let value = object["prefix"] { tests.append(.prefix(try value.text())) }
        if let value = object["pattern"] {
            let text = try value.text()
            do throws(TextPattern.Refusal) { tests.append(.pattern(try TextPattern(text))) } catch {
                throw value.fault(.pattern(error.fault, offset: error.offset))
            }
        }
        let (min, max) = (try object["min"]?.bound(), try object["max"]?.bound())
        if let min { tests.append(.min(min)) }
        if let max { tests.append(.max(max)) }
        if let min, let max, min.compare(max.text).map({ $0 < 0 }) ?? true {
            throw member.value.fault(.emptyRange)
        }
        guard !tests.isEmpty else { throw member.value.fault(.empty) }
        return FieldCondition(pointer: pointer, tests: tests)
    }

    // MARK: - amounts and limits

    private static func amount(_ value: LocatedValue) throws(PolicyFault) -> DeclaredAmount {
        let object = try PolicyObject(value, ["contract", "action", "amount", "token", "recipient"])
        return DeclaredAmount(
            contract: try object.required("contract").name(), action: try object.required("action").name(),
            amount: try object.required("amount").pointer(), token: try object.required("token").token(),
            recipient: try object["recipient"]?.pointer())
    }

    private static func limit(_ value: LocatedValue) throws(PolicyFault) -> Limit {
        let object = try PolicyObject(value, ["name", "amount", "count", "token", "per", "each_recipient"])
        let measure: Limit.Measure
        switch (object["amount"], object["count"]) {
        case (let amount?, nil):
            let (token, amount) = try amount.expect(Token.amount(amount.text()), orThrow: .amount)
            if let token = object["token"] {
                throw PolicyFault(reason: .needs("token", with: "count"), offset: token.offset)
            }
            measure = .amount(amount, token)
        case (nil, let count?):
            measure = .count(try count.integer(0...UInt32.max), try object["token"]?.token())
        default: throw PolicyFault(reason: .exactlyOne(["amount", "count"]), offset: value.offset)
        }
        let each = object["each_recipient"]
        let isForEachRecipient = try each?.boolean() ?? false
        if let each, isForEachRecipient, measure.token == nil {
            throw PolicyFault(reason: .needs("each_recipient", with: "token"), offset: each.offset)
        }
        let per = try object.required("per").choice(Limit.Period.allCases.map(\.rawValue))
        return Limit(
            name: try object.name(), measure: measure, period: Limit.Period(rawValue: per) ?? .transaction,
            isForEachRecipient: isForEachRecipient)
    }

    /// Names, or other texts that no two parts share.
    private static func refuseRepeatedNames(_ names: [String?], _ values: [LocatedValue]) throws(PolicyFault)
    {
        var seen: Set<[UInt8]> = []
        for (name, value) in zip(names, values) {
            if let name, !seen.insert(Array(name.utf8)).inserted { throw value.fault(.duplicate(name)) }
        }
    }
}
