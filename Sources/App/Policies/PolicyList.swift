import ArgumentParser
import JSON
import Shell

extension PolicyGroup {
    struct List: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the policies: key, chains, rules, limits, date, second unlock method.",
            discussion: """
                `second` is the unlock method that a looser policy needs. Without --verify, no PIN is needed and \
                nothing is verified: anyone who can write the file can change the list.

                  eosvault policy list
                """)

        @OptionGroup var listing: ListingOptions

        @OptionGroup var common: CommonOptions

        func run() throws {
            let policies = try ListedPolicies(of: vault, verifiedBy: isVerified ? method : nil).all
            guard json.isOn else { return try Output.report(policies.map(\.text).joined(separator: "\n")) }
            try Output.json(Self.object.json((policies, isVerified)))
        }

        static let object = JSONObject<(policies: [ListedPolicy], isVerified: Bool)>([
            .boolean("unverified", "false with --verify") { !$0.isVerified },
            .list("policies", of: ListedPolicy.object, "that of all keys, then those of single keys") { $0.policies },
        ])
    }

    struct Show: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "Print the policy of a key.",
            discussion: """
                Messages refer to the line numbers. `used` is what the key used of a limit in the time that ends \
                now. `room` is the number of sums and of recipients that limits with `each_recipient` keep; each \
                has a maximum of 100,000. For a key without a policy of its own, the policy of all keys is \
                printed. Without --verify, no PIN is needed and nothing is verified: anyone who can write the file \
                can change the output.

                  eosvault policy show treasury
                  eosvault policy show --all --document
                """)

        @OptionGroup var keys: PolicyKeyOptions

        @Flag(help: "Print only the policy, to change it and set it again.")
        var document = false

        @OptionGroup var listing: ListingOptions

        @OptionGroup var common: CommonOptions

        func validate() throws {
            if document, json.isOn { throw ValidationError("--json prints the policy too: omit --document") }
        }

        func run() throws {
            let policies = try ListedPolicies(
                of: vault, verifiedBy: isVerified ? method : nil, usesOf: keys.key)
            let name = try vault.name()
            let policy = try policies.policy(of: keys.key.map { try policies.key($0, vault: name) }, vault: name)
            if policy.isNearlyFull { Messages.note(Words.policyRoom) }
            if json.isOn {
                try Output.json(Self.object.json((policy, isVerified)))
            } else if document {
                try Output.data(policy.printedDocument)
            } else {
                try Output.data(policy.text + "\n" + policy.numberedLines)
            }
        }

        static let object = JSONObject<(policy: ListedPolicy, isVerified: Bool)>([
            .boolean("unverified", "false with --verify") { !$0.isVerified }
        ]).adding(ListedPolicy.shown) { $0.policy }
    }
}
