import ABICodec
import JSON
import Keys
import Shell
import Signing
import Transactions

/// The permissions that a key controls, for `show --authority` and `signatures --authority`.
struct KeyControl {
    let key: PublicKey
    let permissions: [ControlledPermission]

    /// A row for each permission.
    var rows: [String] {
        permissions.isEmpty ? ["none of these accounts' permissions"] : permissions.map(\.text)
    }

    static let object = JSONObject<KeyControl>([
        .text("public_key", "the key") { $0.key.text },
        .list("permissions", of: ControlledPermission.object, "the permissions that it controls") {
            $0.permissions
        },
    ])
}

extension ControlledPermission {
    /// `alice@active  weight 1, threshold 2: with others`
    fileprivate var text: String {
        let parts =
            (weight.map { ["weight \($0)"] } ?? [])
            + links.map { "weight \($0.weight) through \($0.level.text)" }
        return "\(level.text)  \(parts.joined(separator: ", ")), threshold \(threshold): "
            + (status == .met ? "alone" : status == .unknown ? "alone or with others" : "with others")
    }

    static let object = JSONObject<ControlledPermission>([
        .text("permission", "`account@permission`") { $0.level.text },
        .number("threshold", "the weight that is needed") { $0.threshold },
        .number("weight?", "the weight of the key, if the permission has it") { $0.weight },
        .list("through", of: link, "the permissions with the key that this one refers to") { $0.links },
        .text("control", "`alone`, `with-others`, or `unknown` if a file is missing") {
            $0.status == .met ? "alone" : $0.status == .unknown ? "unknown" : "with-others"
        },
    ])

    private static let link = JSONObject<Authority.Account>([
        .text("permission", "`account@permission`") { $0.level.text },
        .number("weight", "its weight") { $0.weight },
    ])
}
