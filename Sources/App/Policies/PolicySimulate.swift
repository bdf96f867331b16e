import ArgumentParser
import Hardening
import JSON
import KeyVault
import Policy
import Shell
import Signing
import Transactions

extension PolicyGroup {
    struct Simulate: JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "simulate",
            abstract: "List the past transactions that a policy would have refused.",
            discussion: """
                FILE is a JSON array with an object for each transaction: `time` (in UTC, such as \
                2026-12-01T09:30:00Z, or in seconds since 1970), `transaction` (in a form that `sign` reads; packed \
                hex is a string) and, without --chain, `chain`. The command applies the policy to the transactions in \
                the order of their times, as if the key had signed each one that is allowed. It ignores what the key \
                has used of its limits in the vault. It needs no PIN, and does not verify the stored policy and the \
                pinned ABIs. The exit status is 3 if a transaction is refused.

                  eosvault policy simulate treasury history.json --chain eos
                  eosvault policy simulate treasury history.json --policy treasury.json
                """)

        @OptionGroup var signer: KeyArgument

        @Argument(
            help: ArgumentHelp(
                "The transactions with their times; `-` for standard input.", valueName: "file"))
        var log: InputFile

        @Option(help: ArgumentHelp("Try this policy instead of the stored one.", valueName: "file"))
        var policy: InputFile?

        @Flag(help: "Try the policy of all keys, even if the key has one of its own.")
        var all = false

        @Option(name: .shortAndLong, help: .chain, completion: .chains)
        var chain: ChainArgument?

        @OptionGroup var abis: ABIOptions
        @OptionGroup var proposals: ProposalOptions
        @OptionGroup var vault: VaultOptions

        @OptionGroup var common: CommonOptions

        private var inputs: [InputFile] { [InputFile](given: log, policy) + abis.files + proposals.proposal }

        func validate() throws {
            if policy != nil, all { throw ValidationError("--policy names the policy: omit --all") }
            try inputs.refuseSharedInput()
        }

        var requiredAccess: FileAccess { vault.lockedAccess + inputs.fileAccess }

        func run() throws {
            try chain?.expectForm()
            let name = try vault.name()
            let stored = try ListedPolicies(of: vault)
            let chain = try chain?.id(stored.names)
            let key = try stored.key(signer.key, vault: name)
            let policy: KeyPolicy
            var isOfAllKeys = false
            if let given = self.policy {
                policy = try given.policy(stored.names)
            } else {
                let listed = try stored.policy(of: all ? nil : key, vault: name)
                if !all, listed.isOfAllKeys { Messages.note(Words.policyOfAllKeys) }
                isOfAllKeys = listed.isOfAllKeys
                policy = try placed(at: name) { try KeyPolicy(listed.stored.document) }
            }
            let transactions = try placed(at: log.name) {
                try TransactionLog(log.read(), chain: chain, names: stored.names)
            }
            var reviews = PastReviews(options: self, vault: try vault.openLocked(.reading))
            guard let publicKey = key.publicKey else { throw VaultError.input(.notAKey) }
            var outcome = SimulationOutcome(
                policy: policy,
                refusal: { denial in
                    PolicyRefusal(
                        key: KeyDescription(publicKey, label: nil),
                        subject: isOfAllKeys ? .allKeys : .key(publicKey), policy: policy,
                        isStored: self.policy == nil, reason: .denied(denial))
                })
            let entries = transactions.entries.inOrderOfTime
            try Progress.counting("judging transactions") { progress in
                for (index, entry) in entries.enumerated() {
                    try placed(at: log.name) { outcome.add(try reviews.review(entry), of: entry) }
                    progress(Int64(index + 1), Int64(entries.count))
                }
            }
            if json.isOn { try Output.json(outcome.json) } else { try Output.report(outcome.text) }
            if !outcome.refused.isEmpty { throw ExitStatus.refused }
        }
    }
}

extension [TransactionLog.Entry] {
    /// Entries with the same time stay in the order of the file.
    fileprivate var inOrderOfTime: [TransactionLog.Entry] {
        enumerated().sorted { ($0.element.time, $0.offset) < ($1.element.time, $1.offset) }.map(\.element)
    }
}

/// Reads past transactions, with the pinned ABIs of the vault.
struct PastReviews {
    /// A transaction, and the request that a policy decides on. The request is missing for data
    /// that `sign` refuses.
    struct Result {
        let id: String
        let request: Swift.Result<PolicyRequest, SigningError>
    }

    let options: PolicyGroup.Simulate
    let vault: LockedVault
    /// The ABIs and the proposals of each chain.
    private var known: [ChainID: (ContractABIs, [GivenProposal])] = [:]

    init(options: PolicyGroup.Simulate, vault: LockedVault) { (self.options, self.vault) = (options, vault) }

    mutating func review(_ entry: TransactionLog.Entry) throws -> Result {
        let (contracts, proposals) = try known(for: entry.chain)
        return try placed(at: "line \(entry.place.line)") {
            let transaction = try SignedTransaction(reading: entry.transaction, abis: contracts)
            let request: Swift.Result<PolicyRequest, SigningError>
            do throws(SigningError) {
                let review = try Review(
                    of: transaction, chain: entry.chain, abis: contracts, proposals: proposals)
                guard let judged = review.policyRequest else { throw .noChain }
                request = .success(judged)
            } catch {
                // A transaction of another chain is a mistake in the file.
                if case .transaction = error { throw error }
                request = .failure(error)
            }
            return Result(id: transaction.id, request: request)
        }
    }

    private mutating func known(for chain: ChainID) throws -> (ContractABIs, [GivenProposal]) {
        if let known = known[chain] { return known }
        let contracts = try options.abis.contracts(pins: vault.pins(of: chain))
        let added = (contracts, try options.proposals.read(contracts))
        known[chain] = added
        return added
    }
}

/// The decisions of a policy on past transactions.
struct SimulationOutcome: JSONDescribed {
    struct Refused {
        let entry: TransactionLog.Entry
        let id: String
        let message: String
        /// As `sign` reports it.
        let error: Words
        /// The fields of a policy's refusal.
        let denial: JSONValue?

        static let object = JSONObject<Refused>([
            .number("line", "where the file has the transaction") { $0.entry.place.line },
            .text("time", "when it was signed, in UTC") { Clock.rfc3339(Int64($0.entry.time)) },
            .text("transaction_id", "the transaction id") { $0.id },
            .error("error", "why it is refused") { $0.error },
            .value("denial", .orNull(.any), "the same in fields; null for another reason than the policy") {
                $0.denial
            },
        ])
    }

    static let object = JSONObject<SimulationOutcome>([
        .number("allowed_count", "the transactions that are allowed") { $0.allowed },
        .number("confirmed_count", "how many of them a person must confirm at a terminal") { $0.confirmed },
        .list("refused", of: Refused.object, "those that are refused, by their times") { $0.refused },
    ])

    private let policy: KeyPolicy
    private var simulation: PolicySimulation
    private var allowed = 0
    private var confirmed = 0
    private(set) var refused: [Refused] = []

    private let refusal: (PolicyDenial) -> PolicyRefusal

    /// - Parameter refusal: The refusal of a signature.
    init(policy: KeyPolicy, refusal: @escaping (PolicyDenial) -> PolicyRefusal) {
        (self.policy, self.refusal, simulation) = (policy, refusal, PolicySimulation(of: policy))
    }

    mutating func add(_ result: PastReviews.Result, of entry: TransactionLog.Entry) {
        switch result.request {
        case .failure(let error):
            add(error.words.message, error.words, denial: nil, result, entry)
        case .success(let request):
            switch simulation.judge(PastTransaction(time: entry.time, request: request)) {
            case .allowed(let allowance):
                allowed += 1
                if !allowance.confirmations.isEmpty { confirmed += 1 }
            case .denied(let denial):
                add(
                    denial.words(of: policy).message, refusal(denial).words, denial: denial.json(of: policy),
                    result,
                    entry)
            }
        }
    }

    private mutating func add(
        _ message: String, _ error: Words, denial: JSONValue?, _ result: PastReviews.Result,
        _ entry: TransactionLog.Entry
    ) {
        refused.append(Refused(entry: entry, id: result.id, message: message, error: error, denial: denial))
    }

    var text: String {
        let lines = refused.map { refused in
            "\(Clock.rfc3339(Int64(refused.entry.time)))  line \(refused.entry.place.line)  \(refused.id)\n"
                + "  \(refused.message)\n"
        }
        let total = Words.count(allowed + refused.count, "transaction")
        return lines.joined() + "\(total): \(allowed) allowed, \(refused.count) refused\n"
            + (confirmed > 0 ? "\(confirmed) of those allowed must be confirmed at a terminal\n" : "")
    }
}

extension InputFile {
    /// Reads a policy. An error states the file.
    func policy(_ names: ChainNames) throws -> KeyPolicy {
        try placed(at: name) { try KeyPolicy(read(), names: names) }
    }
}
