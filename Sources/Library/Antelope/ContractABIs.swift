import ABICodec
import JSON
package import Transactions

/// The ABIs that pack and decode the data of actions: the built-in ones of the system contracts,
/// and those that are added.
public struct ContractABIs: Sendable {
    package var value: Transactions.ContractABIs

    package init(_ value: Transactions.ContractABIs) { self.value = value }

    /// The built-in ABIs: eosio, eosio.token, eosio.msig, eosio.wrap and core.vaulta.
    public init() { value = Transactions.ContractABIs() }

    /// Adds the ABI of a contract.
    /// - Parameters:
    ///   - contents: a JSON file or the raw form of an ABI, versions 1.0 to 1.3.
    ///   - account: the account of the contract.
    /// - Throws: `invalid-abi`; `abi-differs` for an ABI that decodes actions otherwise than a
    ///   pinned or built-in one of this account; `duplicate` for a second ABI.
    public mutating func add(_ contents: [UInt8], for account: Name) throws(EOSError) {
        _ = try reporting { () throws(TransactionError) in try value.add(contents, for: account.value) }
    }

    /// Packs the data of an action.
    /// - Parameters:
    ///   - json: the fields of the action as a JSON object, in UTF-8.
    ///   - account: the account of the contract.
    ///   - action: the name of the action.
    /// - Throws: `no-abi`, `invalid-json`, `wrong-fields`, `invalid-value`.
    public func pack(_ json: [UInt8], account: Name, action: Name) throws(EOSError) -> [UInt8] {
        let type = try reporting { () throws(TransactionError) in
            try value.type(account: account.value, action: action.value).type
        }
        return try reporting { () throws(ABIError) in try type.encode(json: json) }
    }

    /// Decodes the data of an action.
    /// - Returns: the fields of the action as a JSON object, in UTF-8.
    /// - Throws: `no-abi`; `invalid-encoding` and others if the data does not fit the ABI.
    public func unpack(_ data: [UInt8], account: Name, action: Name) throws(EOSError) -> [UInt8] {
        let types = try reporting { () throws(TransactionError) in
            try value.types(account: account.value, action: action.value)
        }
        var refusal: ABIError?
        for (type, _) in types {
            do { return try type.decode(data) } catch { refusal = refusal ?? error }
        }
        return try reporting { () throws(ABIError) in
            throw refusal ?? ABIError(.unknownType(action.description))
        }
    }
}
