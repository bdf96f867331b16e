/// The format of a policy as a JSON Schema (2020-12), with descriptions of all members.
package enum PolicySchema {
    package static let text: [UInt8] = PackageResources.policy_schema_json
}

/// A policy to start with.
package enum PolicyTemplate: String, CaseIterable, Sendable {
    case treasury, payout, proxy, producer

    /// The text of the policy. `PolicyTemplateTests` checks that it is valid.
    package var policy: [UInt8] { files.policy }

    /// The explanation, for a separate file.
    package var explanation: [UInt8] { files.explanation }

    private var files: (policy: [UInt8], explanation: [UInt8]) {
        switch self {
        case .treasury: (PackageResources.treasury_json, PackageResources.treasury_md)
        case .payout: (PackageResources.payout_json, PackageResources.payout_md)
        case .proxy: (PackageResources.proxy_json, PackageResources.proxy_md)
        case .producer: (PackageResources.producer_json, PackageResources.producer_md)
        }
    }
}
