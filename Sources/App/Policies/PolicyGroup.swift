import ArgumentParser
import Files
import Hardening
import JSON
import KeyVault
import Policy
import Shell
import Signing

struct PolicyGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "policy", abstract: "Limit what keys sign.",
        subcommands: [
            Init.self, Schema.self, Set.self, Remove.self, List.self, Show.self, Test.self, Simulate.self,
            ClockCorrected.self,
        ])

    struct Schema: PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema", abstract: "Print the format of policies as a JSON Schema.",
            discussion: """
                Its descriptions explain each member and the syntax of patterns.

                  eosvault policy schema
                """)

        @OptionGroup var common: MessageOptions

        func run() throws { try Output.data(PolicySchema.text) }
    }

    struct Init: PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Write a policy to start from, and its explanation.",
            discussion: """
                Replace the accounts, amounts and hours in the file with your own. --output treasury.json also writes \
                the explanation, treasury.md. Existing files are not replaced. Without --output, only the policy is \
                printed.

                - treasury: large payments to known accounts in working hours, each confirmed by a person
                - payout: many small payments to any account, from a script
                - proxy: votes for a proxy
                - producer: rewards and registration of a block producer

                  eosvault policy init --template treasury -o treasury.json
                """)

        @Option(help: "What the key does.")
        var template: PolicyTemplate

        @OptionGroup var output: OutputOption
        @OptionGroup var common: MessageOptions

        var requiredAccess: FileAccess { output.fileAccess }

        func run() throws {
            guard let path = OutputFile.named(by: output.output)?.path else {
                return try Output.data(template.policy)
            }
            let policy = try Self.prepared(path)
            let explanation = try Self.prepared(
                (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".md")
            // A signal waits until both files are written.
            try HeldSignals.during {
                let made = try Self.write(template.explanation, to: explanation)
                do { try Self.write(template.policy, to: policy) } catch {
                    made.remove()
                    throw error
                }
            }
        }

        private static func prepared(_ path: String) throws -> NewFile {
            try placed(at: path) { try OutputFile(path: path).prepared(for: .publicData) }
        }

        @discardableResult
        private static func write(_ text: [UInt8], to file: NewFile) throws -> MadeFile {
            try placed(at: file.path) { try file.write(String(decoding: text, as: UTF8.self)) }
        }
    }

    struct ClockCorrected: ReleasingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "clock-corrected",
            abstract: "Record that the clock was ahead, so that limits count from the current time again.",
            discussion: """
                Limits and `hours` use the later of the clock and the time of the last record, so that setting the \
                clock back frees nothing. After a command ran while the clock was ahead, correct the clock and run \
                this command. It adds a record with the current time, from which limits count. What keys used at later \
                times counts as used now. The command needs the second unlock method of each policy.

                  eosvault policy clock-corrected
                  eosvault policy clock-corrected --second-file policy-pin --pin-file pin --yes
                """)

        @OptionGroup var release: ReleaseOptions
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var common: CommonOptions

        var requiredAccess: FileAccess { release.fileAccess + confirmation.fileAccess }

        func run() throws {
            let file = try vault.open()
            let (policies, last) = try placed(at: vault.name()) {
                (try file.unverifiedPolicies(), try file.unverifiedLastRecordTime())
            }
            guard !policies.isEmpty else {
                throw Placed(place: try vault.name(), error: VaultError.input(.noPolicy))
            }
            let record = last.map { "The last record of the vault was made at \(Clock.text($0)).\n" } ?? ""
            try confirmation.ask(
                "\(record)The clock of this machine is at \(Clock.text(Clock.now)).\nIs this time correct?",
                for: .clockCorrection, orThrow: CommandError.clockKept)
            let unlocked = try method.unlock(file, beforeTyping: second.typed(for: policies))
            let proof = try second.prove(policies, in: unlocked)
            try unlocked.transaction { (transaction: inout VaultTransaction) throws(VaultError) in
                try transaction.correctClock(proof: proof)
            }
            let time = try placed(at: vault.name()) { try file.unverifiedLastRecordTime() } ?? Clock.now
            try json.print(Clock.text(time), json: Self.object.json(time))
        }

        static let object = JSONObject<Int64>([
            .text("time", "the time of the record, from which limits count, in UTC") { Clock.text($0) }
        ])
    }
}

extension PolicyTemplate: ExpressibleByArgument {}
