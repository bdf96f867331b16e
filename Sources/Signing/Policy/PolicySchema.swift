import Keys
import Messages

/// The format of a policy as a JSON Schema (2020-12), with descriptions of all members.
package enum PolicySchema {
    /// `WarningCode` has the codes that `refuse` may have, so the file has only their place.
    package static let text: [UInt8] = {
        let codes = WarningCode.refusable.map { "\"\($0)\"" }.joined(separator: ",\n          ")
        let text = String(decoding: PackageResources.policy_schema_json, as: UTF8.self)
        return Array(text.replacing("\"(the codes of warnings)\"", with: codes).utf8)
    }()
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

extension PolicyTemplate {
    /// The accounts, the key and the address of the templates. Users replace them with their own.
    static let placeholders = [
        "treasury1111", "exchange1111", "payroll11111", "payout111111", "voter1111111", "proxy1111111",
        "producer1111",
        PublicKey.developmentText, "PUB_K1_6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5BoDq63",
        "https://producer.example/",
    ]

    /// - Parameter text: a policy.
    /// - Throws: `placeholder` for the first value that a template has.
    package static func expectReplaced(in text: [UInt8]) throws(PolicyError) {
        let found = placeholders.compactMap { word in
            text.firstRange(of: word.utf8).map { (offset: $0.lowerBound, word: word) }
        }
        guard let first = found.min(by: { $0.offset < $1.offset }) else { return }
        let fault = PolicyFault(reason: .value(.placeholder(first.word)), offset: first.offset)
        throw PolicyError(reason: fault.reason, place: fault.place(in: text))
    }
}
