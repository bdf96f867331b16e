import AirGap
import ArgumentParser
import Hardening
import Shell
import Signing
import Transactions

struct Merge: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Join the signatures of copies of one transaction.",
        discussion: """
            Each file has the same transaction, signed by another machine. A file may have only signatures instead: \
            the text of the QR codes of `eosvault sign --format signatures --qr`. At least one file must have the \
            transaction. The command refuses copies with different bytes, and signatures that chains refuse. A \
            signature of a key that has already signed is left out. The keys are printed on standard error: compare \
            them with the keys of the signers, because a signature of another transaction or chain recovers to a key \
            that nobody has. `eosvault signatures` compares them with an account's permissions.

              eosvault merge signed-by-alice.json signed-by-bob.json --chain eos -o signed.json
              eosvault merge transfer.json codes-of-alice.txt --chain eos -o joined.json
            """)

    @Argument(
        help: ArgumentHelp(
            "Two or more copies of the transaction, or signatures of it; `-` for standard input.",
            valueName: "file"))
    var files: [InputFile]

    @OptionGroup var abis: ABIOptions

    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ChainArgument

    @OptionGroup var output: SignedOutput

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    @OptionGroup var sandbox: SandboxOption

    var requiredAccess: FileAccess { (files + abis.files).fileAccess + output.file.fileAccess }

    func validate() throws {
        guard files.count > 1 else { throw ValidationError("give at least two files") }
        try files.refuseSharedInput(with: abis.files)
    }

    func run() throws {
        try output.expectFormat(for: nil)
        let file = try output.file.prepared()
        let chain = try chain.value
        let contracts = try abis.contracts()
        var merged: MergedTransaction?
        var signatures: [(name: String, message: SignaturesMessage)] = []
        for input in files {
            let contents = try input.contents()
            if let message = try placed(at: input.name, { try ScannedCodes(contents)?.signatures() }) {
                signatures.append((input.name, message))
                continue
            }
            let copy = try input.transaction(in: contents, contracts)
            try placed(at: input.name) {
                try copy.expectChain(chain)
                if merged == nil {
                    merged = try MergedTransaction(copy, chain: chain)
                } else {
                    try merged?.add(copy)
                }
            }
        }
        guard var merged else { throw CommandError.noTransactionToMerge }
        for (name, message) in signatures {
            try placed(at: name) {
                guard message.chain == chain else { throw TransactionError.otherChain(stated: message.chain) }
                try merged.add(message.signatures, of: message.id)
            }
        }
        try output.write(merged.transaction, to: file)
        for key in merged.keys { Messages.note(Words.signedBy(key)) }
        if merged.keys.isEmpty { Messages.warning(Words.noSignatures) }
        if merged.duplicateCount > 0 { Messages.note(Words.leftOut(merged.duplicateCount)) }
    }
}
