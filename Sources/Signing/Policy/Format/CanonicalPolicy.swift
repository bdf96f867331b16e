import ABICodec
import JSON
import Keys
import Transactions

/// The canonical form of a policy: JSON with its members in this order, and none that has its
/// default value. Each member, rule, amount and limit is a line of its own, so that messages can
/// refer to it.
enum CanonicalPolicy {
    static func bytes(
        _ chains: [ChainID], _ allowsIdentity: Bool, _ conditions: TransactionConditions,
        _ refusedWarnings: [String], _ rules: [Rule], _ amounts: [DeclaredAmount], _ limits: [Limit]
    ) -> [UInt8] {
        let transaction = object(members(conditions))
        let members = [
            #""version":\#(PolicyReader.version)"#,
            #""chains":\#(JSONValue.array(chains.map { .string($0.name) }).text())"#,
            allowsIdentity ? #""identity":"allow""# : nil,
            transaction.object?.isEmpty ?? true ? nil : #""transaction":\#(transaction.text())"#,
            refusedWarnings.isEmpty
                ? nil : #""refuse":\#(JSONValue.array(refusedWarnings.map { .string($0) }).text())"#,
            list("rules", rules.map(\.json)), list("amounts", amounts.map(\.json)),
            list("limits", limits.map(\.json)),
        ]
        return Array("{\(members.compactMap(\.self).joined(separator: ",\n"))}".utf8)
    }

    private static func list(_ name: String, _ values: [JSONValue]) -> String? {
        values.isEmpty ? nil : "\"\(name)\":[\n\(values.map { $0.text() }.joined(separator: ",\n"))\n]"
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
            ("blind", allowsBlind ? .string("allow") : nil),
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
            ("contract", .string(contract.text)), ("action", .string(action.text)),
            ("amount", .string(amount.text)),
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
            case .count(let count, let token):
                [("count", .number(count)), ("token", token.map { .string($0.text) })]
            }
        return CanonicalPolicy.object(
            [("name", name.map { .string($0) })] + members + [
                ("per", .string(period.rawValue)),
                ("each_recipient", isForEachRecipient ? .boolean(true) : nil),
            ])
    }
}
