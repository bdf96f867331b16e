import ABICodec
import Codecs
import JSON
import Keys
import Testing
import Transactions

@testable import Policy

/// Policies, actions and requests for tests.
enum Sample {
    static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
    static let otherKey = "EOS6gsQXzM6CLbhbDKLEteS6PZb6W2UaHDLvtQN56gxEGYsBZ6rcC"
    /// Tuesday, 2026-12-01T00:00:00.
    static let now: UInt32 = 1_796_083_200

    /// A policy of the chain eos with these members.
    static func policy(_ members: String) throws -> KeyPolicy {
        try KeyPolicy(Array(#"{"version":1,"chains":["eos"]\#(members.isEmpty ? "" : ",")\#(members)}"#.utf8))
    }

    /// A policy that allows transfers of eosio.token, and has these limits.
    static func policy(limits: String) throws -> KeyPolicy {
        try policy(#""rules":[{"contract":"eosio.token","action":"transfer"}],"limits":[\#(limits)]"#)
    }

    static func level(_ text: String) throws -> PermissionLevel {
        let parts = text.split(separator: "@")
        return PermissionLevel(actor: try Name(parts[0]), permission: try Name(parts[1]))
    }

    static func action(
        _ contract: String, _ name: String, by levels: [String] = ["alice@active"],
        _ fields: [(String, TypedValue)],
        isContextFree: Bool = false, inner: RequestedAction.Inner = .none
    ) throws -> RequestedAction {
        RequestedAction(
            action: Action(
                account: try Name(contract), name: try Name(name), authorization: try levels.map(level),
                data: []),
            value: .fields(fields.map { TypedField(name: $0.0, value: $0.1) }), isContextFree: isContextFree,
            inner: inner)
    }

    static func transfer(
        _ quantity: String, to: String = "bob", memo: String = "", contract: String = "eosio.token",
        by levels: [String] = ["alice@active"]
    ) throws -> RequestedAction {
        try action(
            contract, "transfer", by: levels,
            [
                ("from", .name(try Name("alice"))), ("to", .name(try Name(to))),
                ("quantity", .asset(try Asset(quantity))), ("memo", .text(memo)),
            ])
    }

    static func request(
        _ actions: [RequestedAction], chain: String = "eos", id: UInt8 = 1, expiresIn seconds: UInt32 = 60,
        signers: [String] = [], isIdentity: Bool = false
    ) throws -> PolicyRequest {
        PolicyRequest(
            chain: try ChainID(chain), transaction: [UInt8](repeating: id, count: 32),
            expiration: TimePointSec(seconds: now + seconds), actions: actions,
            signers: try signers.map { try PublicKey($0) }, isIdentity: isIdentity)
    }

    static func entry(
        _ amount: UInt64, to: String? = nil, ago seconds: UInt32 = 0, token: String? = "4,EOS@eosio.token",
        id: UInt8 = 9, count: UInt32 = 1
    ) throws -> PolicyEntry {
        PolicyEntry(
            time: now - seconds, transaction: [UInt8](repeating: id, count: 32), expiration: now + 60,
            token: token.flatMap { Token($0) },
            recipient: try to.map { try Name($0) }, amount: amount, count: count)
    }
}

extension KeyPolicy {
    /// What a key used that signed these entries, in the order of their times.
    /// - Parameter maximum: of the sums of the limits for each recipient.
    func uses(after entries: [PolicyEntry], maximum: Int = LimitUses.maximumSumCount) -> LimitUses {
        var uses = adopt(LimitUses(maximum: maximum))
        for entry in entries.sorted(by: { $0.time < $1.time }) { uses.add([entry]) }
        return uses
    }

    /// The denial of a request, or nil.
    func denial(
        of request: PolicyRequest, _ history: [PolicyEntry] = [], clock: UInt32 = Sample.now,
        last: UInt32? = nil,
        restored: UInt32? = nil
    ) -> PolicyDenial? {
        guard
            case .denied(let denial) = evaluate(
                request, uses: uses(after: history), clock: clock, last: last, restored: restored)
        else {
            return nil
        }
        return denial
    }

    /// The allowance of a request. Records a failure if the request is denied.
    func allowance(
        of request: PolicyRequest, _ history: [PolicyEntry] = [], clock: UInt32 = Sample.now,
        last: UInt32? = nil,
        restored: UInt32? = nil
    ) throws -> PolicyAllowance {
        switch evaluate(request, uses: uses(after: history), clock: clock, last: last, restored: restored) {
        case .allowed(let allowance): return allowance
        case .denied(let denial): throw denial
        }
    }
}
