import ABICodec
import Codecs
import JSON

/// An authority as a user or a node writes it. Its keys may be labels, and its parts may be in any
/// order.
package struct AuthorityText: Sendable {
    private let threshold: UInt32
    private let keys: [(source: KeySource, weight: UInt16)]
    private let nullKeyWeight: UInt16?
    private let accounts: [Authority.Account]
    private let waits: [Authority.Wait]

    /// One key, `ACCOUNT@PERMISSION`, or the JSON of an authority, as cleos reads them. Other text
    /// is the label of a key.
    package init(_ text: String) throws(BuildError) {
        if text.utf8.first == UInt8(ascii: "{") {
            try self.init(json: Array(text.utf8))
        } else if text.contains("@"), let level = try? PermissionLevel(text) {
            self.init(keys: [], accounts: [Authority.Account(level: level, weight: 1)])
        } else {
            self.init(keys: [(try converting(BuildError.value, KeySource(text)), 1)], accounts: [])
        }
    }

    private init(keys: [(KeySource, UInt16)], accounts: [Authority.Account]) {
        (threshold, self.keys, nullKeyWeight, self.accounts, waits) = (1, keys, nil, accounts, [])
    }

    /// The JSON of an authority as text.
    package init(json text: [UInt8]) throws(BuildError) {
        try self.init(json: converting({ BuildError.transaction(.json($0)) }, JSONValue.parse(text)))
    }

    /// `{"threshold", "keys", "accounts", "waits"}`; an omitted list is empty. A permission is an
    /// object as in cleos, or `ACCOUNT@PERMISSION`.
    package init(json: JSONValue) throws(BuildError) { try self.init(json: json, isReported: false) }

    /// - Parameter isReported: for the JSON of a node, which may contain the all-zero public key.
    private init(json: JSONValue, isReported: Bool) throws(BuildError) {
        var nullKeyWeight: UInt16?
        do throws(ABIError) {
            try json.expectMembers(["threshold", "keys", "accounts", "waits"])
            threshold = try Self.integer(json, "threshold", "uint32")
            keys = try Self.list(json, "keys") { part throws(ABIError) in
                try part.expectMembers(["key", "weight"])
                let text = try part.member("key")
                let weight: UInt16 = try Self.integer(part, "weight", "uint16")
                if isReported, let text = text.string, NullKey.isText(text) {
                    nullKeyWeight = weight
                    return nil
                }
                let source = try inside("key") { () throws(ABIError) in try KeySource(text.expectText()) }
                return (source, weight)
            }.compactMap(\.self)
            accounts = try Self.list(json, "accounts") { part throws(ABIError) in
                try part.expectMembers(["permission", "weight"])
                let permission = try part.member("permission")
                let level = try inside("permission") { () throws(ABIError) in
                    try isReported
                        ? PermissionLevel(json: permission) : PermissionLevel(jsonOrText: permission)
                }
                return Authority.Account(level: level, weight: try Self.integer(part, "weight", "uint16"))
            }
            waits = try Self.list(json, "waits") { part throws(ABIError) in
                try part.expectMembers(["wait_sec", "weight"])
                let seconds: UInt32 = try Self.integer(part, "wait_sec", "uint32")
                return Authority.Wait(seconds: seconds, weight: try Self.integer(part, "weight", "uint16"))
            }
        } catch { throw .value(error) }
        self.nullKeyWeight = nullKeyWeight
    }

    /// The authority in a node's answer, as it is on the chain.
    static func reported(_ json: JSONValue) throws(BuildError) -> Authority {
        let text = try AuthorityText(json: json, isReported: true)
        return try Authority(
            reported: text.threshold, keys: text.keys(LabelledKeys()), nullKeyWeight: text.nullKeyWeight,
            accounts: text.accounts, waits: text.waits)
    }

    private static func integer<Value: FixedWidthInteger>(
        _ json: JSONValue, _ name: String, _ type: StaticString
    ) throws(ABIError) -> Value {
        let value = try json.member(name)
        return try inside(name) { () throws(ABIError) in try value.expectInteger(type) }
    }

    private static func list<Part>(
        _ json: JSONValue, _ name: String, _ read: (JSONValue) throws(ABIError) -> Part
    ) throws(ABIError) -> [Part] {
        guard let value = json[name] else { return [] }
        return try inside(name) { () throws(ABIError) in try value.expectList(read) }
    }

    /// The labels of its keys.
    package var labels: [String] { keys.compactMap(\.source.labelText) }

    /// The authority that the text means.
    /// - Parameter keys: the keys of the labels.
    package func authority(_ keys: LabelledKeys) throws(BuildError) -> Authority {
        try Authority(threshold: threshold, keys: self.keys(keys), accounts: accounts, waits: waits)
    }

    private func keys(_ keys: LabelledKeys) throws(BuildError) -> [Authority.Key] {
        try self.keys.map { source, weight throws(BuildError) in
            Authority.Key(key: try source.key(keys), weight: weight)
        }
    }
}
