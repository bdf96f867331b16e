import ArgumentParser
import Hardening
import JSON
import KeyVault
import Shell
import Signing

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
