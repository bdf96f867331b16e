import ArgumentParser
import Files
import Hardening
import Policy
import Shell

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
