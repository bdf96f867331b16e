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
        commandName: "policy", abstract: "Limit what keys sign: make, list, show and try policies.",
        subcommands: [
            Init.self, Schema.self, Set.self, Remove.self, List.self, Show.self, Test.self, Simulate.self,
            ClockCorrected.self,
        ])

    struct Schema: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "schema",
            abstract: "Print the format of policies as a JSON Schema.",
            discussion: """
                The descriptions state the meaning of each member, and the syntax of patterns.

                  eosvault policy schema
                """)

        @OptionGroup var sandbox: SandboxOption

        func run() throws { try Output.data(PolicySchema.text) }
    }
}

extension PolicyGroup {
    struct Init: ConfinedCommand {
        static let configuration = CommandConfiguration(
            commandName: "init",
            abstract: "Write a policy to start with, and its explanation.",
            discussion: """
                Replace the names of accounts, the amounts and the hours in the file with your own. With --output \
                FILE, the explanation is written to a second file with the ending .md instead of .json. Existing files \
                are not replaced. Without --output, only the policy is printed.

                - treasury: large payments to known accounts in working hours, each confirmed by a person
                - payout: many small payments to any account, for a script that runs each day
                - proxy: votes for a proxy
                - producer: rewards and registration of a block producer

                  eosvault policy init --template treasury -o treasury.json
                """)

        @Option(help: "What the key does.")
        var template: PolicyTemplate

        @OptionGroup var output: OutputOption
        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { output.fileAccess }

        func run() throws {
            guard let path = OutputFile.named(by: output.output)?.path else { return try Output.data(template.policy) }
            let policy = try Self.prepared(path)
            let explanation = try Self.prepared(Self.explanationPath(of: path))
            // A signal waits until both files are written.
            try HeldSignals.during {
                let made = try Self.write(template.explanation, to: explanation)
                do { try Self.write(template.policy, to: policy) } catch {
                    made.remove()
                    throw error
                }
            }
        }

        private static func explanationPath(of path: String) -> String {
            (path.hasSuffix(".json") ? String(path.dropLast(5)) : path) + ".md"
        }

        private static func prepared(_ path: String) throws -> NewFile {
            try placed(at: path) { try OutputFile(path: path).prepared(for: .publicData) }
        }

        @discardableResult
        private static func write(_ text: [UInt8], to file: NewFile) throws -> MadeFile {
            try placed(at: file.path) { try file.write(String(decoding: text, as: UTF8.self)) }
        }
    }
}

extension PolicyTemplate: ExpressibleByArgument {}

extension PolicyGroup {
    struct ClockCorrected: UnlockingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "clock-corrected",
            abstract: "Record that the clock was ahead, so that limits no longer wait for the later date.",
            discussion: """
                A limit uses the later one of the clock and the last record of the vault, so setting the clock back \
                frees nothing. If a command made a record while the clock was ahead, limits and `hours` use that later \
                date. First correct the clock. This command then adds a record with the current time, from which \
                limits count. Earlier records stay in the log. What keys used at later times counts as used now. It \
                needs the second unlock method of each policy.

                  eosvault policy clock-corrected
                  eosvault policy clock-corrected --second-file policy-pin --pin-file pin --yes
                """)

        @OptionGroup var second: SecondMethodOptions

        @OptionGroup var unlocking: UnlockOptions

        @Flag(help: "Add the record without confirmation, for scripts.")
        var yes = false

        @OptionGroup var common: CommonOptions

        func validate() throws { try second.inputs.refuseSharedInput(with: method.inputs) }

        var requiredAccess: FileAccess {
            second.inputs.fileAccess + unlocking.fileAccess + (yes ? .none : .terminal)
        }

        func run() throws {
            let file = try vault.open()
            let (policies, last) = try placed(at: vault.name()) {
                (try file.unverifiedPolicies(), try file.unverifiedLastRecordTime())
            }
            guard !policies.isEmpty else { throw Placed(place: try vault.name(), error: VaultError.input(.noPolicy)) }
            try confirm(last: last)
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

        /// Shows both times at the terminal, where the question is asked.
        private func confirm(last: Int64?) throws {
            guard !yes else { return }
            let terminal = try Terminal.open(for: .clockCorrection)
            let record = last.map { "The last record of the vault was made at \(Clock.text($0)).\n" } ?? ""
            terminal.write(record + "The clock of this machine is at \(Clock.text(Clock.now)).\n")
            guard try terminal.confirm("Is this time correct?") else { throw CommandError.clockKept }
        }
    }
}
