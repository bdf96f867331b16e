import ArgumentParser
import KeyText
import Sandbox
import Signing
import Transactions

struct Merge: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Join the signatures of copies of one transaction.",
        discussion: """
            Each file has the same transaction, signed by another machine. The command refuses copies with other bytes \
            and signatures that chains refuse. A signature of a key that has already signed is left out. The keys are \
            printed on standard error: compare them with the keys of the signers, because a signature of another \
            transaction or chain recovers to a key that nobody has. `eosvault signatures` compares them with an \
            account's permissions.

              eosvault merge signed-by-alice.json signed-by-bob.json --chain eos -o signed.json
            """)

    @Argument(
        help: ArgumentHelp("Two or more copies of the transaction; `-` for standard input.", valueName: "file"),
        completion: .file())
    var files: [String]

    @OptionGroup var abis: ABIOptions

    @Option(name: .shortAndLong, help: ChainOption.help, completion: .chains)
    var chain: String

    @OptionGroup var output: SignedOutput

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    @OptionGroup var sandbox: SandboxOption

    private var inputs: [InputFile] { files.map { InputFile(path: $0) } }

    var requiredAccess: FileAccess {
        (inputs + abis.files).reduce(output.fileAccess) { $0 + $1.fileAccess }
    }

    func validate() throws {
        try inputs.refuseSharedInput(with: abis.files)
    }

    func run() throws {
        // Not in `validate`: a repeated option is reported first.
        guard files.count > 1 else { throw ValidationError("give at least two files") }
        try output.expectFormat(for: nil)
        let file = try output.prepared()
        let chain = try ChainOption.parse(chain)
        let contracts = try abis.contracts()
        var merged: MergedTransaction?
        for input in inputs {
            let copy = try input.transaction(contracts)
            try placed(at: input.name) {
                try copy.expectChain(chain)
                if merged == nil {
                    merged = try MergedTransaction(copy, chain: chain)
                } else {
                    try merged?.add(copy)
                }
            }
        }
        guard let merged else { return }
        try output.write(merged.transaction, to: file)
        for key in merged.keys { Messages.note(Words.signedBy(key)) }
        if merged.keys.isEmpty { Messages.warning(Words.noSignatures) }
        if merged.duplicateCount > 0 { Messages.note(Words.leftOut(merged.duplicateCount)) }
    }
}
