import ABICodec
import Codecs
import JSON
import Transactions

/// Replaces the names that mean the signer: `............1` is the signer's account, and
/// `............2` is the signer's permission (EEP-7, "Signing Request - Placeholders").
package struct Placeholders: Sendable {
    package static let account = Name(rawValue: 1)
    package static let permission = Name(rawValue: 2)
    package static func isPlaceholder(_ name: Name) -> Bool { name == account || name == permission }

    /// The maximum cost of decoded data, as in a review.
    private static let budget = 4 << 20

    let signer: PermissionLevel

    package func resolved(_ name: Name) -> Name {
        switch name {
        case Self.account: signer.actor
        case Self.permission: signer.permission
        default: name
        }
    }

    /// In an authorization, the placeholder of the account also means the permission, as in version
    /// 1 of the protocol.
    func resolved(_ level: PermissionLevel) -> PermissionLevel {
        PermissionLevel(
            actor: resolved(level.actor),
            permission: level.permission == Self.account ? signer.permission : resolved(level.permission))
    }

    /// Replaces the names in the authorization, and in the data by the contract's ABI.
    ///
    /// Data that can't be decoded is unchanged: a review refuses it.
    func resolved(_ action: Action, abis: ContractABIs) throws(RequestError) -> Action {
        Action(
            account: action.account, name: action.name, authorization: action.authorization.map(resolved),
            data: try data(of: action, abis))
    }

    private func data(of action: Action, _ abis: ContractABIs) throws(RequestError) -> [UInt8] {
        guard let types = try? abis.types(account: action.account, action: action.name) else {
            return action.data
        }
        for (type, _) in types {
            var decoder = ValueDecoder(budget: Self.budget)
            guard let value = try? decoder.decode(action.data, as: type) else { continue }
            let replaced = resolved(value)
            guard replaced != value else { return action.data }
            do { return try type.encode(json: Array(replaced.json.text().utf8)) } catch {
                throw .placeholder(account: action.account, action: action.name, error)
            }
        }
        return action.data
    }

    /// True if a name in the authorization or in the decoded data is a placeholder.
    package static func remain(in action: Action, _ value: TypedValue?) -> Bool {
        let none = Placeholders(
            signer: PermissionLevel(actor: Name(rawValue: 0), permission: Name(rawValue: 0)))
        return action.authorization.contains { none.resolved($0) != $0 }
            || value.map { none.resolved($0) != $0 } ?? false
    }

    /// The nesting of a value is limited by its type.
    func resolved(_ value: TypedValue) -> TypedValue {
        switch value {
        case .name(let name): .name(resolved(name))
        case .list(let list): .list(list.map(resolved))
        case .fields(let fields): .fields(fields.map { TypedField(name: $0.name, value: resolved($0.value)) })
        case .alternative(let type, let inner): .alternative(type: type, resolved(inner))
        case .asset, .publicKey, .text, .bytes, .plain, .unquoted, .absent: value
        }
    }
}

extension PermissionLevel {
    /// The signer.
    static let placeholder = PermissionLevel(actor: Placeholders.account, permission: Placeholders.permission)
}
