import ABICodec
import JSON
import KeyText
import Transactions

/// The canonical form of a policy: JSON without white space, members in this order, and none that
/// has its default value.
enum CanonicalPolicy {
    static func bytes(
        _ chains: [ChainID], _ allowsIdentity: Bool, _ conditions: TransactionConditions, _ rules: [Rule],
        _ amounts: [DeclaredAmount], _ limits: [Limit]
    ) -> [UInt8] {
        var writer = JSONWriter()
        writer.write(
            object([
                ("version", .number("1")), ("chains", .array(chains.map { .string($0.name) })),
                ("identity", allowsIdentity ? .string("allow") : nil),
                ("transaction", object(members(conditions), orNilIfEmpty: true)),
                ("rules", rules.isEmpty ? nil : .array(rules.map(\.json))),
                ("amounts", amounts.isEmpty ? nil : .array(amounts.map(\.json))),
                ("limits", limits.isEmpty ? nil : .array(limits.map(\.json))),
            ]))
        return writer.bytes
    }

    /// The members of `transaction`.
    static func members(_ conditions: TransactionConditions) -> [(String, JSONValue?)] {
        [
            ("max_expiration_seconds", conditions.maximumExpiration.map { .number($0) }),
            ("max_actions", conditions.maximumActionCount.map { .number($0) }),
            ("hours", conditions.hours.map { .array($0.texts.map { .string($0) }) }),
            ("confirm", conditions.alwaysConfirms ? .string("always") : nil),
            ("cosigner", conditions.firstCosigner.map { ["first": .string($0.text)] }),
            ("context_free_actions", conditions.allowsContextFreeActions ? .string("rules") : nil),
        ]
    }

    static func object(_ members: [(String, JSONValue?)]) -> JSONValue {
        .object(members.compactMap { name, value in value.map { JSONMember(name, $0) } })
    }

    private static func object(_ members: [(String, JSONValue?)], orNilIfEmpty: Bool) -> JSONValue? {
        members.allSatisfy { $0.1 == nil } ? nil : object(members)
    }
}

extension ChainID {
    /// The built-in name, else the id.
    var name: String { chain?.name ?? text }
}

extension Rule {
    package var json: JSONValue {
        CanonicalPolicy.object([
            ("name", name.map { .string($0) }), ("contract", .string(contract.text)),
            ("action", .string(action?.text ?? "*")),
            ("authorization", authorization.isEmpty ? nil : .array(authorization.map { .string($0.text) })),
            (
                "fields",
                fields.isEmpty ? nil : .object(fields.map { JSONMember($0.pointer.text, $0.json) })
            ),
            ("unknown_proposal", allowsUnknownProposal ? .string("allow") : nil),
            ("given_abi", allowsGivenABI ? .string("allow") : nil),
        ])
    }
}

extension FieldCondition {
    var json: JSONValue { .object(tests.map { JSONMember($0.name, $0.json) }) }
}

extension FieldTest {
    package var json: JSONValue {
        switch self {
        case .equals(let text), .prefix(let text): .string(text)
        case .oneOf(let texts, _): .array(texts.map { .string($0) })
        case .pattern(let pattern): .string(pattern.text)
        case .min(let bound), .max(let bound): .string(bound.text)
        }
    }
}

extension DeclaredAmount {
    package var json: JSONValue {
        CanonicalPolicy.object([
            ("contract", .string(contract.text)), ("action", .string(action.text)), ("amount", .string(amount.text)),
            ("token", .string(token.text)), ("recipient", recipient.map { .string($0.text) }),
        ])
    }
}

extension Limit {
    package var json: JSONValue {
        let members: [(String, JSONValue?)] =
            switch measure {
            case .amount(let amount, let token):
                [("amount", .string("\(token.text(of: UInt128(amount.magnitude)))@\(token.contract.text)"))]
            case .count(let count, let token): [("count", .number(count)), ("token", token.map { .string($0.text) })]
            }
        return CanonicalPolicy.object(
            [("name", name.map { .string($0) })] + members + [
                ("per", .string(period.rawValue)), ("each_recipient", isForEachRecipient ? .boolean(true) : nil),
            ])
    }
}
