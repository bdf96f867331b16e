import ABICodec
import ArgumentParser
import Codecs
import Hardening
import JSON
import Shell
import SigningRequests
import Transactions

struct RequestCreate: ConfinedCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Make a signing request from a transaction, or a request for a login.",
        discussion: """
            In the transaction, ............1 means the account of the signer, and ............2 the permission. The \
            signer chooses the expiration and the reference block, unless you give --keep-header.

            With --qr, the terminal shows the link as a QR code instead of text. A link that is too long for one code \
            becomes a sequence of codes: a Uniform Resource of the type x-eos-request.

              eosvault request create transfer.json --chain eos
              eosvault request create transfer.json --chain eos --qr-file request.png
              eosvault request create --login myapp --chain eos --callback 'https://example.com/?sig={{sig}}'
            """)

    @Argument(help: "The transaction, in a form that `eosvault sign` reads; `-` for standard input.")
    var file: InputFile?

    @Option(
        help: ArgumentHelp(
            "Ask for a login. The scope is the account name of your site or app.", valueName: "scope"))
    var login: String?

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp(
            "A name from `eosvault chains`, or a chain id. Repeat the option to let the signer choose a chain.",
            valueName: "name or id"), completion: .chains)
    var chain: [ChainArgument]

    @Option(
        help: ArgumentHelp(
            "The address that gets the result. It can contain {{sig}}, {{tx}}, {{sa}} (account), {{sp}} (permission), "
                + "{{cid}} (chain id), {{ex}}, {{rbn}}, {{rid}} and {{req}}.", valueName: "address"))
    var callback: String?

    @Flag(help: "Let the wallet call the address itself, without a browser.")
    var background = false

    @Flag(help: "Ask only for the signature. The wallet does not send the transaction.")
    var noBroadcast = false

    @Flag(help: "Keep the expiration and the reference block of the transaction.")
    var keepHeader = false

    @Option(help: ArgumentHelp("Information for the wallet. Repeat the option.", valueName: "key=text"))
    var info: [String] = []

    @Flag(help: "Do not compress the request.")
    var noCompression = false

    @OptionGroup var abis: ABIOptions
    @OptionGroup var json: JSONOption
    @OptionGroup var qr: QROptions
    @OptionGroup var sandbox: SandboxOption

    func validate() throws {
        if login != nil, keepHeader || noBroadcast {
            throw ValidationError("a login is not a transaction: omit --keep-header and --no-broadcast")
        }
        guard (file == nil) != (login == nil) else {
            throw ValidationError("give a transaction, or --login for a login")
        }
        if background, callback == nil { throw ValidationError("--background needs --callback") }
        try qr.expectText(json)
        try [InputFile](given: file).refuseSharedInput(with: abis.files)
    }

    var requiredAccess: FileAccess { ([InputFile](given: file) + abis.files).fileAccess + qr.fileAccess }

    func run() throws {
        let codes = try qr.prepared()
        var chains: [RequestedChain] = []
        for argument in chain {
            let next = RequestedChain(try argument.value)
            guard !chains.contains(next) else {
                throw ValidationError("--chain \(argument.text) is given twice")
            }
            chains.append(next)
        }
        try parsing("--callback") {
            if let callback { _ = try converting(AuthoredRequestError.init, CallbackAddress(callback)) }
        }
        let content = try content(for: chains)
        var pairs = try information()
        if chains.count > 1 {
            pairs.append(RequestInfo(key: RequestInfo.chainIDs, value: RequestedChain.packed(chains)))
        }
        let link = try converting(AuthoredRequestError.init, link(content, for: chains, pairs))
        try codes.expectRoom(for: QRContent(link))
        try codes.write(QRContent(link))
        if json.isOn {
            try Output.json(Self.object.json(link))
        } else if !codes.isShown {
            try Output.data(link.text + "\n")
        }
        try codes.show(QRContent(link))
    }

    static let object = JSONObject<RequestLink>([
        .text("link", "the link") { $0.text },
        .any("request", "the request, as EEP-7 writes it, with action data in hex") { $0.request.json },
    ])

    private func link(
        _ content: RequestContent, for chains: [RequestedChain], _ info: [RequestInfo]
    ) throws(RequestError) -> RequestLink {
        let request = try RequestData(
            version: chains.count > 1 || login != nil ? .three : .two,
            chain: chains.count > 1 ? .any : chains[0],
            content: content,
            flags: RequestFlags(login == nil && !noBroadcast ? [.broadcast] : []).union(
                background ? .background : []),
            callback: callback ?? "", info: info)
        try request.expectCurrentChain()
        return try RequestLink(request, compressing: !noCompression)
    }

    private func content(for chains: [RequestedChain]) throws -> RequestContent {
        guard let login else { return try content(of: file ?? .standardInput, for: chains) }
        let scope = try parsedName(login, "--login")
        guard scope.rawValue != 0, !Placeholders.isPlaceholder(scope) else {
            throw ValidationError("--login needs the account name of the site or app")
        }
        return .identity(RequestedIdentity(scope: scope, permission: nil))
    }

    private func content(of input: InputFile, for chains: [RequestedChain]) throws -> RequestContent {
        let contracts = try abis.contracts()
        let signed = try input.transaction(contracts)
        try placed(at: input.name) {
            if let stated = signed.statedChain, !chains.contains(RequestedChain(stated)) {
                throw TransactionError.otherChain(stated: stated)
            }
        }
        guard signed.contextFreeData.isEmpty, signed.signatures.isEmpty else {
            throw Placed(place: input.name, error: CommandError.signedTemplate)
        }
        let transaction = signed.transaction
        if keepHeader { return .transaction(transaction) }
        let template = transaction.replacing(
            expiration: TimePointSec(seconds: 0), reference: (blockNumber: 0, prefix: 0),
            actions: transaction.actions)
        // The shorter forms have no other header fields.
        guard template == Transaction(actions: transaction.actions) else { return .transaction(template) }
        return transaction.actions.count == 1
            ? .action(transaction.actions[0]) : .actions(transaction.actions)
    }

    private func information() throws -> [RequestInfo] {
        try info.map { text in
            let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, !parts[0].isEmpty else { throw ValidationError("--info needs KEY=TEXT") }
            guard parts[0] != RequestInfo.chainIDs else {
                throw ValidationError("--info \(RequestInfo.chainIDs) is made from --chain: repeat --chain")
            }
            return RequestInfo(key: String(parts[0]), value: Array(parts[1].utf8))
        }
    }
}
