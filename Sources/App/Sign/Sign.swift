import AirGap
import ArgumentParser
import Files
import Hardening
import KeyVault
import Keys
import Policy
import Shell
import Signing
import Transactions

struct Sign: UnlockingCommand, TokenCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Show a transaction, ask for confirmation, and sign it.",
        discussion: """
            The review is decoded from the exact bytes that are signed. New signatures are appended to the existing \
            ones; a key that has already signed does not sign again. Pass the result to `cleos push transaction -s \
            FILE`. For a signing request, --format json makes such a file.

              eosvault sign transfer.json --chain eos
              eosvault sign transfer.json --chain jungle4 --key treasury -o signed.json
              eosvault sign --lines withdrawals.txt --chain eos --yes
              eosvault sign transfer.json --chain eos --qr-file signed.png
              eosvault sign link.txt --chain eos --account alice --block info.json

            With --qr, the terminal shows the signed transaction as a QR code instead of text. The code \
            is a Uniform Resource of the type x-eos-transaction, or with --format signatures \
            x-eos-signatures. A long transaction is a sequence of codes, which may be read in any order. For a signing \
            request that is not sent to a chain, or with --format callback, the code is the address of the callback \
            with the result in it, for the browser or app of a phone.

            FILE may also be a signing request of a wallet or a web site: a link that starts with `esr:`, or a file \
            that contains one. See `eosvault help request`.

            With --lines, each line of FILE is a transaction: JSON in one line, packed hex, or an object \
            `{"id": …, "transaction": …}`. The id is your text or integer of at most 256 bytes. If two lines have \
            the same id, nothing is signed. There is one review with each line and the totals, and one question. The \
            output is one JSON object for each line, in the same order: `line` is its number, `id` your id; then \
            `transaction_id` and `signatures`, or `error`; with --format packed also `packed`, which a node accepts. \
            `already` marks a line that this vault signed before. A line is refused if it can't be signed, or has a \
            danger that --allow does not name. With --yes, actions other than transfers of known tokens need \
            --allow-action, or a policy of each key that allows them. The other lines are signed. The exit status is \
            1 if a line was refused. It is 3 if nothing was signed and options or policies refused each line. The \
            same file can be signed again: K1 keys give the same signatures, R1 keys give other valid ones.
            """)

    @OptionGroup var input: ReviewInput

    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ChainArgument

    @Option(
        name: .shortAndLong,
        help: "Sign with this key: a public key or a label. Repeat the option for several keys.",
        completion: .keys)
    var key: [String] = []

    @OptionGroup var unlocking: UnlockOptions

    @OptionGroup var tokens: TokenOptions

    @Flag(
        help: """
            Ask for the PIN or the recovery phrase before the review. After 5 minutes or a stop (Ctrl-Z), the vault \
            is locked again, and the command asks again after the question.
            """)
    var unlockFirst = false

    @Flag(help: "Sign each line of the file; print one JSON object for each line.")
    var lines = false

    @OptionGroup var output: SignedOutput

    @OptionGroup var qr: QROptions

    @Option(
        help: ArgumentHelp("Sign only the transaction with this id, as `inspect` prints it.", valueName: "id")
    )
    var expect: String?

    @OptionGroup var consent: ConsentOptions

    private var yes: Bool { consent.yes }

    @Flag(help: "Sign even if the vault can't be written, and the audit log can't record the signature.")
    var noRecord = false

    @Flag(name: .customLong("json"), help: "Print errors as JSON.")
    var jsonErrors = false

    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        try input.refuseSharedInput(with: method.inputs + tokens.pin.inputs)
        try tokens.pin.inputs.refuseSharedInput(with: method.inputs)
        if let expect, !expect.isTransactionID {
            throw ValidationError("--expect needs a transaction id: 64 hex digits")
        }
        try consent.check(lines: lines)
        if lines { try expectLinesOptions() }
        if unlockFirst { try expectUnlockFirstOptions() }
    }

    private func expectLinesOptions() throws {
        try output.expectLines(input, qr, expect: expect)
        if noRecord { throw ValidationError("--lines records each signature: omit --no-record") }
    }

    private func expectUnlockFirstOptions() throws {
        if yes { throw ValidationError("--yes asks no question: omit --unlock-first") }
        guard method.asks else {
            throw ValidationError(
                "--unlock-first needs a PIN or a recovery phrase that is typed at the terminal: omit --unlock-first"
            )
        }
    }

    private func allowances() throws -> [Allowance] { try consent.allowances(blind: input.blind) }

    var mayUseTokens: Bool { (try? vault.path()).map(TokenHelper.isNeeded) ?? false }
    var namedModules: [String] { tokens.modules.module }

    var requiredAccess: FileAccess {
        input.fileAccess + unlocking.fileAccess + output.file.fileAccess + qr.fileAccess
            + (yes ? .none : .terminal) + (mayUseTokens ? tokens.pin.fileAccess : .none)
    }

    func run() throws { try run(onlyRequests: false) }

    /// - Parameter onlyRequests: refuses a transaction in another form.
    func run(onlyRequests: Bool) throws {
        guard !lines else { return try signLines() }
        let file = try output.file.prepared()
        let codes = try qr.prepared()
        try chain.expectForm()
        let vault = try vault.openLocked()
        let contents = try input.contents()
        let (request, asked, authorized) = try vault.snapshot {
            try prepare(contents, vault, onlyRequests: onlyRequests)
        }
        try codes.expectRoom(
            for: output.expectedContent(
                of: request.review.transaction, request.signatures(in: request.review.transaction),
                missing: request.missing.count, asked, chain: request.chain))
        if codes.isShown, file == nil, output.showsTransaction(of: asked), let note = asked?.callbackNote {
            Messages.note(note)
        }

        let held = authorized == nil ? nil : try held(vault.vault)
        try show(request, asked, authorized?.clockStep, holding: held)
        let signed =
            try authorized.map { authorized in
                let unlocked = try unlocked(vault, held)
                try unlocked.openTokens(of: request.missing.map(\.publicKey), by: tokens.connect)
                return try sign(authorized, with: unlocked)
            } ?? request.review.transaction
        let undelivered: Undelivered.Result? = request.isComplete ? nil : .signature
        let signatures = request.signatures(in: signed)
        let content = { () throws -> QRContent in
            try output.qrContent(of: signed, signatures, asked, chain: request.chain)
        }
        try delivering(undelivered, to: nil) { try codes.write(content()) }
        if file != nil || !codes.isShown {
            try output.write(
                signed, only: signatures, for: asked, isNew: !request.isComplete, to: file)
        }
        try delivering(undelivered, to: nil) { try codes.show(content()) }
    }

    /// Reviews the transaction and decides, with what the vault's file states.
    /// - Returns: the last value is nil if every key has already signed.
    private func prepare(
        _ contents: FileContents, _ vault: LockedVault, onlyRequests: Bool
    ) throws -> (SigningRequest, RequestReview?, AuthorizedRequest?) {
        let names = try vault.chainNames()
        let chain = try chain.id(names)
        let contracts = try input.transaction.contracts(pins: vault.pins(of: chain), contents)
        let (review, asked) = try input.review(contracts, chain: chain, contents, onlyRequests: onlyRequests)
        try output.expectFormat(for: asked)
        if let expect { try review.expectTransaction(expect) }
        let all = key.isEmpty || review.comparesKeys ? try vault.keys() : []
        let request = try vault.request(
            review, signedBy: vault.chosenKeys(key, among: all), own: OwnKeys(all), names)
        return (request, asked, request.isComplete ? nil : try authorize(request, of: vault))
    }

    /// Signs each line of the file.
    private func signLines() throws {
        try chain.expectForm()
        let vault = try vault.openLocked()
        let contents = try input.contents(lines: true)
        let (batch, history, keys) = try vault.snapshot { try self.batch(contents, vault) }
        let file = input.transaction.input
        let result = try placed(at: file.name) {
            try file.withDescriptor { descriptor throws(InputFile.Failure) in
                let lines = SignLines(
                    batch, of: try LineSource(descriptor), history: history,
                    printsPacked: output.format == .packed)
                return Result {
                    let review = try lines.review()
                    let (blocks, needsSignature) = (review.blocks, review.summary.signableCount > 0)
                    let held = needsSignature ? try held(vault.vault) : nil
                    try show(
                        BatchQuestion(review, lines.pages(of: review), of: batch, keys: keys),
                        holding: held)
                    try lines.sign(blocks, needsSignature: needsSignature) {
                        let unlocked = try unlocked(vault, held)
                        try unlocked.openTokens(of: keys.map(\.publicKey), by: tokens.connect)
                        return unlocked
                    }
                }
            }
        }
        do { try result.get() } catch let error as InputFile.Failure {
            throw Placed(place: file.name, error: error)
        }
    }

    /// Reads the values that all lines share, and the keys that sign them.
    private func batch(
        _ contents: FileContents, _ vault: LockedVault
    ) throws -> (SigningBatch, SigningBatch.History<PaymentLedger>, [KeyDescription]) {
        let names = try vault.chainNames()
        let chain = try chain.id(names)
        let contracts = try input.transaction.contracts(pins: vault.pins(of: chain), contents)
        let all = try vault.keys()
        let keys = try vault.chosenKeys(key, among: all)
        let batch = try SigningBatch(
            chain: chain, chainName: names.givenName(of: chain), abis: contracts, keys: keys,
            own: OwnKeys(all),
            consent: ScriptConsent(allowances(), actions: consent.allowedActions(blind: input.blind)),
            refusing: consent.refused(), blind: Set(input.blind),
            proposals: input.proposals.read(contracts, contents))
        let history = SigningBatch.History(
            payments: try vault.ledger(), policies: try vault.policies(of: keys.map(\.publicKey)))
        return (batch, history, keys.map(\.description))
    }

    /// Shows the review of all lines. Nothing is asked if no line needs a signature.
    private func show(_ question: BatchQuestion, holding held: QuestionVault?) throws {
        guard !yes, question.review.summary.signableCount > 0 else { return try Messages.review(question) }
        guard try confirm(question, holding: held) else { throw CommandError.declined }
    }

    /// Asks a question at the terminal. Meanwhile, an unlocked vault is locked when its time is
    /// over.
    private func confirm(_ question: some ReviewQuestion, holding held: QuestionVault?) throws -> Bool {
        var terminal = try Terminal.open(for: .confirmation)
        if let held { terminal.watch = held.lockIfNeeded }
        return try terminal.confirm(question)
    }

    /// With --unlock-first, the vault unlocked for the time of the question.
    private func held(_ vault: Vault) throws -> QuestionVault? {
        guard unlockFirst else { return nil }
        return try method.opening(vault) { secret, hidden in
            try QuestionVault { try UnlockMethodOptions.unlock(vault, by: secret, hiding: hidden) }
        }
    }

    /// The vault that was unlocked before the question, verified again, or the vault unlocked now.
    private func unlocked(_ vault: LockedVault, _ held: QuestionVault?) throws -> UnlockedVault {
        guard let held else { return try method.unlock(vault.vault) }
        guard let unlocked = held.take() else {
            Messages.note(Words.lockedAgain)
            return try method.unlock(vault.vault)
        }
        try placed(at: vault.name) { try unlocked.compareWithWitness() }
        return unlocked
    }

    /// The policies are read unverified, so that a refused request asks for no PIN. The decision is
    /// repeated on the verified vault. A script does not wait for a person, so what the keys used
    /// is read for a refusal only, whose message states it.
    private func authorize(_ request: SigningRequest, of vault: LockedVault) throws -> AuthorizedRequest {
        func authorize(readingUses: Bool) throws -> AuthorizedRequest {
            try request.authorize(
                vault.policies(of: request.missing.map(\.publicKey), readingUses: readingUses),
                consent: yes ? ScriptConsent(allowances()) : PersonConsent(), refusing: consent.refused())
        }
        guard yes else { return try authorize(readingUses: true) }
        do { return try authorize(readingUses: false) } catch SigningError.policy {
            return try authorize(readingUses: true)
        }
    }

    /// --no-record only permits a missing record: a signature is recorded if the vault can be
    /// written.
    private func sign(
        _ request: AuthorizedRequest, with store: borrowing some KeyStore & ~Copyable
    ) throws -> SignedTransaction {
        do { return try request.sign(with: store) } catch  where error.isReadOnlyStore {
            guard noRecord else { throw CommandError.unrecorded }
            let signed = try request.signWithoutRecord(with: store)
            Messages.warning(Words.notRecorded)
            return signed
        }
    }

    /// Shows the review at the terminal, where the question is asked, or with --yes on standard
    /// error.
    private func show(
        _ request: SigningRequest, _ asked: RequestReview?, _ clockStep: UInt32?, holding held: QuestionVault?
    ) throws {
        let missing = request.missing.map(\.description)
        var text = ReviewText(request, asked, clockStep: clockStep)
        guard !missing.isEmpty, !yes else {
            text.width = TerminalSize(of: FileDescriptor.standardError.number).columns
            Messages.review(text)
            if missing.isEmpty { Messages.note(Words.signedAlready) }
            return
        }
        let question = SigningQuestion(request, text)
        guard try confirm(question, holding: held) else {
            throw question.declined
        }
    }
}

extension String {
    package var isTransactionID: Bool {
        utf8.count == 64 && utf8.allSatisfy { Unicode.Scalar($0).properties.isASCIIHexDigit }
    }
}
