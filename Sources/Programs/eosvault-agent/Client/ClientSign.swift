import ABICodec
import App
import ArgumentParser
import Files
import Hardening
import Keys
import Shell
import Signing
import Transactions
import WalletAPI

/// Signs with the keys of the agent.
struct ClientSign: ClientCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign", abstract: "Sign a transaction with the keys of the agent.",
        discussion: """
            The options are those of `eosvault sign`. The agent reviews the transaction, with the ABIs, labels and \
            policies of its vault, and asks whom its option --confirm names. So options that would accept a \
            signature here do not exist. The output has the same forms. It is compared with FILE, and its signatures \
            with the keys, before it is printed.

              eosvault-agent sign transfer.json --chain eos
              eosvault-agent sign transfer.json --chain jungle4 --key treasury -o signed.json
              eosvault-agent sign --lines withdrawals.txt --chain eos
              eosvault-agent sign link.txt --chain eos --account alice --block info.json

            With --lines, each line is a transaction, or an object `{"id": …, "transaction": …}`, as for `eosvault \
            sign --lines`. A line is sent when it is complete, and up to 64 lines at once. So a program can write a \
            line, and wait for its answer. The answers are in the order of the lines, one JSON object each, and are \
            printed when the vault has recorded the signatures. A line whose id an earlier line has is refused; of a \
            stream, the last 1,000,000 lines are compared. The exit status is 1 if a line was refused. It is 3 if \
            nothing was signed and policies or --refuse refused each line.

            A signing request is read and filled in by this command, which knows the built-in ABIs and those of --abi.
            """)

    @OptionGroup var input: ReviewInput

    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ChainArgument

    @Option(
        name: .shortAndLong,
        help: "Sign with this key: a public key or a label. Repeat the option for several keys.")
    var key: [String] = []

    @Flag(help: "Sign each line of the file as it comes; print one JSON object for each line.")
    var lines = false

    @OptionGroup var output: SignedOutput
    @OptionGroup var qr: QROptions

    @Option(
        help: ArgumentHelp("Sign only the transaction with this id, as `inspect` prints it.", valueName: "id")
    )
    var expect: String?

    @OptionGroup var refusing: RefuseOption
    @OptionGroup var agent: ClientSocketOption

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    @OptionGroup var elsewhere: OptionsOfTheAgent
    @OptionGroup var sandbox: SandboxOption

    var connectionCount: Int { lines ? SignStream.connectionCount : 1 }

    var requiredAccess: FileAccess {
        input.fileAccess + output.file.fileAccess + qr.fileAccess
    }

    func validate() throws {
        try input.refuseSharedInput()
        if let expect, !expect.isTransactionID {
            throw ValidationError("--expect needs a transaction id: 64 hex digits")
        }
        if lines { try output.expectLines(input, qr, expect: expect) }
    }

    func run() throws {
        guard !lines else { return try signLines() }
        let file = try output.file.prepared()
        let codes = try qr.prepared()
        let contents = try input.contents()
        let contracts = try input.transaction.contracts(contents)
        let (given, asked) = try given(contracts, contents)
        try output.expectFormat(for: asked)
        if let transaction = given.transaction, let chain = try? chain.value {
            let count = max(1, Set(key).count)
            try codes.expectRoom(
                for: output.expectedContent(
                    of: transaction, transaction.signatures, missing: count, asked, chain: chain))
        }
        if codes.isShown, file == nil, output.showsTransaction(of: asked), let note = asked?.callbackNote {
            Messages.note(note)
        }
        var connection = try connection()
        let order = try order(contents, login: asked?.loginVersion)
        let answer = try connection.call(.agentSign, order.body(for: given.text))
        let signed = try SignedAnswer(answer, to: given, order)
        try deliver(signed, asked, codes, to: file)
    }

    private func deliver(
        _ signed: SignedAnswer, _ asked: RequestReview?, _ codes: QROutput, to file: NewFile?
    ) throws {
        if !signed.isNew { Messages.note(ClientWords.signedAlready) }
        let undelivered: Undelivered.Result? = signed.isNew ? .signature : nil
        let content = { () throws -> QRContent in
            try output.qrContent(
                of: signed.transaction, signed.signatures, asked, chain: signed.chain)
        }
        try delivering(undelivered, to: nil) { try codes.write(content()) }
        if file != nil || !codes.isShown {
            try output.write(
                signed.transaction, only: signed.signatures, for: asked, isNew: signed.isNew, to: file)
        }
        try delivering(undelivered, to: nil) { try codes.show(content()) }
    }

    /// The transaction, or the one that a signing request resolves to.
    private func given(
        _ contracts: ContractABIs, _ contents: FileContents
    ) throws -> (GivenTransaction, RequestReview?) {
        switch try input.given(contracts, chain: chain.value, contents) {
        case .transaction(let text):
            return (try placed(at: input.transaction.name) { try GivenTransaction(text, contracts) }, nil)
        case .request(let review, let asked): return (GivenTransaction(review.transaction), asked)
        }
    }

    /// What all transactions of the command share.
    private func order(_ contents: FileContents, login: Int? = nil) throws -> OrderTemplate {
        let overridden = Set(input.transaction.abiOverride.map(\.account))
        let abis = try zip(input.transaction.abis.abi, input.transaction.abis.files).map { option, file in
            OrderTemplate.GivenABI(
                account: option.account.text, bytes: try contents.bytes(of: file),
                overrides: overridden.contains(option.account))
        }
        return OrderTemplate(
            chain: chain, keys: key, abis: abis, blind: input.blind.map(\.text),
            refuse: refusing.refuse.map(\.text), expect: expect,
            proposals: try input.proposals.proposal.map { try contents.bytes(of: $0) }, login: login)
    }

    private func signLines() throws {
        let contents = try input.contents(lines: true)
        let contracts = try input.transaction.contracts(contents)
        let connections = try connections()
        let order = try order(contents)
        let file = input.transaction.input
        let result = try placed(at: file.name) {
            try file.withDescriptor { descriptor throws(InputFile.Failure) in
                Result {
                    var stream = SignStream(
                        connections, order, contracts, printsPacked: output.format == .packed)
                    try stream.run(reading: descriptor)
                }
            }
        }
        do { try result.get() } catch let error as InputFile.Failure {
            throw Placed(place: file.name, error: error)
        }
    }
}

/// Options of `eosvault sign` that decide who accepts a signature, or open a vault. They are parsed
/// only to say why they are refused.
struct OptionsOfTheAgent: ParsableArguments {
    @Flag(help: .hidden)
    var yes = false
    @Option(help: .hidden)
    var allow: [String] = []
    @Option(help: .hidden)
    var allowAction: [String] = []
    @Flag(help: .hidden)
    var noRecord = false
    @Flag(help: .hidden)
    var unlockFirst = false
    @Option(help: .hidden)
    var vault: String?
    @Flag(help: .hidden)
    var acceptRollback = false
    @Option(help: .hidden)
    var pinFile: String?
    @Option(name: .customLong("pin-fd"), help: .hidden)
    var pinFD: String?
    @Option(name: .customLong("keyfile"), help: .hidden)
    var keyFile: String?
    @Flag(help: .hidden)
    var recovery = false
    @Option(help: .hidden)
    var recoveryFile: String?

    func validate() throws {
        let consent = [
            ("--yes", yes), ("--allow", !allow.isEmpty), ("--allow-action", !allowAction.isEmpty),
        ]
        if let name = consent.first(where: \.1)?.0 {
            throw ValidationError(
                "\(name) is for `eosvault sign`: the agent asks whom its option --confirm names")
        }
        if noRecord {
            throw ValidationError("--no-record is for `eosvault sign`: the agent records each signature")
        }
        let vaults = [
            ("--vault", vault != nil), ("--accept-rollback", acceptRollback), ("--pin-file", pinFile != nil),
            ("--pin-fd", pinFD != nil), ("--keyfile", keyFile != nil), ("--recovery", recovery),
            ("--recovery-file", recoveryFile != nil), ("--unlock-first", unlockFirst),
        ]
        if let name = vaults.first(where: \.1)?.0 {
            throw ValidationError(
                "\(name) is for `eosvault sign`: the agent has the vault, and `eosvault-agent unlock` unlocks it"
            )
        }
    }
}
