import ABICodec
import ArgumentParser
import Codecs
import Files
import Hardening
import JSON
import Keys
import Shell
import SigningRequests
import Transactions

struct RequestGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "request",
        abstract: "Show, sign and make signing requests (links that start with esr:).",
        discussion: """
            Wallets and web sites ask for a signature with such a link (EEP-7, ESR). It may leave the account, the \
            expiration and the reference block to the signer. A request with LOGIN in its review proves to its sender \
            that you have the key, and is not sent to a chain. eosvault opens no connection: it prints what another \
            machine sends.

              eosvault request show request.txt
              eosvault request sign request.txt --chain eos --account alice --block info.json
            """,
        subcommands: [RequestShow.self, RequestSign.self, RequestCreate.self, RequestVerify.self])
}

/// `request sign`: `sign` for a signing request.
struct RequestSign: TokenCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Show the transaction of a signing request, ask for confirmation, and sign it.",
        discussion: """
            The command has the review and the options of `eosvault sign`. It prints the signed transaction, the \
            payload for the callback, and the address of the callback with the values of the payload.

              eosvault request sign request.txt --chain eos --account alice --block info.json
              eosvault request sign login.txt --chain eos --account alice --format callback
            """)

    @OptionGroup var sign: Sign

    var sandbox: SandboxOption { sign.sandbox }

    func validate() throws {
        if sign.lines { throw ValidationError("--lines reads transactions: omit it for a signing request") }
    }

    var requiredAccess: FileAccess { sign.requiredAccess }
    var namedModules: [String] { sign.namedModules }
    var mayUseTokens: Bool { sign.mayUseTokens }

    func run() throws { try sign.run(onlyRequests: true) }
}

struct RequestShow: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "show", abstract: "Show the contents of a signing request.",
        discussion: """
            The names ............1 and ............2 mean the account and the permission of the signer. To see \
            the transaction that would be signed, use `eosvault inspect --account NAME`.

              eosvault request show request.txt
            """)

    @OptionGroup var transaction: TransactionOptions
    @OptionGroup var key: RequestKeyOption
    @OptionGroup var common: CommonOptions

    var requiredAccess: FileAccess { transaction.fileAccess }

    func run() throws {
        let contracts = try transaction.contracts()
        let link = try transaction.expectedLink(in: transaction.contents())
        let review = try RequestReview(link, name: transaction.name, key: key)
        guard !json.isOn else { return try Output.json(Self.object.json(review)) }
        let width = TerminalSize(of: FileDescriptor.standardOutput.number).columns
        try Output.data(Self.rows(review, contracts, width: width).map { $0 + "\n" }.joined())
    }

    static let object = RequestReview.object.adding([
        .value("chain_ids", .orNull(.list(of: .text)), "the chains of the request; null for any chain") {
            review in
            let request = review.link.request
            let chains = request.chain == .any ? request.chains : [request.chain]
            return chains.map { list in .array(list.map { .string($0.chainID?.text ?? "") }) }
        },
        .boolean("needs_block", "whether the signer chooses the reference block") {
            $0.link.request.needsReference
        },
        .boolean("needs_expiration", "whether the signer chooses the expiration") {
            $0.link.request.needsExpiration
        },
        .text(orNull: "signature", "the request signature") { $0.link.signature?.signature.text },
        .text("signature_digest", "the SHA-256 that a request signature signs") {
            Hex.encode($0.link.request.signatureDigest.bytes)
        },
        .any("request", "the request, as EEP-7 writes it, with action data in hex") { $0.link.request.json },
    ])

    private static func rows(_ review: RequestReview, _ contracts: ContractABIs, width: Int) -> [String] {
        let request = review.link.request
        let template = request.template
        var rows = Rows(width: width)
        rows.append(named: "version", words: "\(request.version.rawValue)")
        rows.append(named: "chain", words: chain(of: request))
        if request.needsReference {
            rows.append(named: "expires", words: "the signer chooses the expiration and the reference block")
        } else if request.needsExpiration {
            rows.append(named: "expires", words: "the signer chooses the expiration")
        } else if !request.isIdentity {
            rows.append(named: "expires", words: "\(ReviewText.date(template.expiration)) UTC")
            rows.append(
                named: "reference", words: "block \(template.refBlockNum), prefix \(template.refBlockPrefix)")
        }
        if !request.isIdentity {
            let isSent = request.flags.contains(.broadcast)
            rows.append(
                named: "delivery",
                words: isSent
                    ? "the signer sends the signed transaction to the chain"
                    : "the signer sends the signatures only to the sender of the request")
        }
        for pair in request.info {
            rows.append(named: "info", parts: [Printable.excerpt(pair.key) + ":"])
            rows.append(named: "", parts: [Hex.encode(pair.value)])
        }
        let abis = request.contracts(contracts)
        let actions = template.contextFreeActions + template.actions
        for (index, action) in actions.enumerated() {
            let levels = action.authorization.map(\.text).joined(separator: ", ")
            let name = "\(action.account.text)::\(action.name.text)"
            rows.append(
                named: "action \(index + 1)",
                words: name + (levels.isEmpty ? "" : ", authorized by \(levels)"))
            rows.append(named: "", parts: [data(of: action, abis)])
        }
        return rows.rows + review.rows(width: width)
    }

    private static func chain(of request: RequestData) -> String {
        guard let chains = request.chain == .any ? request.chains : [request.chain] else { return "any" }
        return (chains.count > 1 ? "one of " : "") + chains.map(\.name).joined(separator: ", ")
    }

    /// The decoded data, or its bytes in hex.
    private static func data(of action: Action, _ abis: ContractABIs) -> String {
        for (type, _) in (try? abis.types(account: action.account, action: action.name)) ?? [] {
            if let text = try? type.decode(action.data) {
                return String(decoding: Printable.json(text), as: UTF8.self)
            }
        }
        return action.data.isEmpty ? "no data" : "not decoded: " + Hex.encode(action.data)
    }
}

extension TransactionOptions {
    /// The signing request in the contents of the input.
    func expectedLink(in text: [UInt8]) throws -> RequestLink {
        guard let link = try link(in: text) else {
            throw Placed(place: name, error: RequestError.unknownScheme)
        }
        return link
    }
}
