import ABICodec
import ArgumentParser
import Keys
import Shell
import SigningRequests
import Transactions

/// The values of the signer for a signing request. A transaction has no use for them.
package struct RequestOptions: ParsableArguments {
    package init() {}

    @Option(
        help: "For a signing request, required: the account that signs. It does not choose the key.")
    package var account: String?

    @Option(
        help: ArgumentHelp(
            "For a signing request: the permission that signs (default: active).", valueName: "name"))
    package var permission: String?

    @Option(
        help: ArgumentHelp(
            "For a signing request without an expiration: a duration from now (3600, 90m, 1h, 7d), or a time in UTC "
                + "(2026-12-01T00:00:00) (default: 1h).", valueName: "time"))
    package var expires: String?

    @Option(
        help: ArgumentHelp(
            "For a signing request without a reference block: a node's answer to get_info or get_block. From "
                + "get_info, the last irreversible block is used.", valueName: "file"))
    package var block: InputFile?

    @Option(
        help: ArgumentHelp("The id of a recent block of the chain, instead of --block.", valueName: "hex"))
    package var blockID: String?

    @OptionGroup package var key: RequestKeyOption

    package var files: [InputFile] { [InputFile](given: block) }

    /// The first option that was given, for an error.
    var given: String? {
        let options = [
            ("--account", account), ("--permission", permission), ("--expires", expires),
            ("--block", block?.path),
            ("--block-id", blockID), ("--request-key", key.requestKey),
        ]
        return options.first { $0.1 != nil }?.0
    }

    /// Replaces the placeholders of a signing request.
    /// - Parameter name: the input, for errors.
    func resolve(
        _ link: RequestLink, _ contracts: ContractABIs, chain: ChainID, name: String, _ contents: FileContents
    ) throws -> (ResolvedRequest, RequestReview) {
        let request = link.request
        guard let account else {
            throw ValidationError("a signing request needs --account, the account that signs")
        }
        let signer = PermissionLevel(
            actor: try parsedName(account, "--account"),
            permission: try parsedName(permission ?? "active", "--permission"))
        for (name, option) in [(signer.actor, "--account"), (signer.permission, "--permission")]
        where name.rawValue == 0 || Placeholders.isPlaceholder(name) {
            throw ValidationError("\(option) needs a name, not a placeholder or empty text")
        }
        try placed(at: name) {
            try request.expectCurrentChain()
            try request.expectChain(chain)
        }
        try expectNeeded(by: request)
        let expiration = try expiration(for: request)
        let reference = try reference(for: request, chain: chain, contents)
        let review = try RequestReview(link, name: name, key: key)
        return try placed(at: name) {
            let resolved = try ResolvedRequest(
                link, signer: signer, chain: chain, expiration: expiration, reference: reference,
                abis: contracts)
            try resolved.expectSigner()
            return (resolved, review.resolved(resolved))
        }
    }

    /// Values that the request has already are not replaced.
    private func expectNeeded(by request: RequestData) throws {
        if !request.needsExpiration, expires != nil {
            throw ValidationError("the signing request sets its expiration: omit --expires")
        }
        guard !request.needsReference, block != nil || blockID != nil else { return }
        throw ValidationError(
            request.isIdentity
                ? "a login has no reference block: omit --block and --block-id"
                : "the signing request sets its reference block: omit --block and --block-id")
    }

    private func expiration(for request: RequestData) throws -> TimePointSec? {
        guard request.needsExpiration else { return nil }
        return try parsing("--expires") { try ExpirationText(expires ?? "1h").time(now: Clock.now) }
    }

    private func reference(
        for request: RequestData, chain: ChainID, _ contents: FileContents
    ) throws -> BlockReference? {
        guard request.needsReference else { return nil }
        guard block == nil || blockID == nil else {
            throw ValidationError("give one of --block and --block-id")
        }
        if let blockID { return try parsing("--block-id") { try BlockReference(id: blockID) } }
        guard let file = block else { return nil }
        let answer = try contents.bytes(of: file)
        return try placed(at: file.name) { try BlockReference(answer: answer, chain: chain) }
    }

    /// The options that make the same transaction again.
    func parts(for resolved: ResolvedRequest) -> [String] {
        let signer = resolved.signer
        var parts = ["--account \(signer.actor.text)"]
        if permission != nil { parts.append("--permission \(signer.permission.text)") }
        if resolved.link.request.needsExpiration {
            parts.append("--expires \(resolved.transaction.transaction.expiration.text)")
        }
        if let block { parts.append("--block " + ShellWord.quoted(block.path)) }
        if let blockID { parts.append("--block-id \(blockID)") }
        if let key = key.requestKey { parts.append("--request-key \(key)") }
        return parts
    }
}

/// The key that must have signed a request.
package struct RequestKeyOption: ParsableArguments {
    package init() {}

    @Option(
        help: ArgumentHelp(
            "Require the signature of this public key on a signing request. Otherwise the sender is not verified.",
            valueName: "public key"))
    package var requestKey: String?

    /// The given key; nil without the option.
    func key() throws -> PublicKey? {
        try requestKey.map { text in try parsing("--request-key") { try PublicKey(text) } }
    }
}

extension TransactionOptions {
    /// True if the argument is a link, not the name of a file.
    package var isLink: Bool { RequestLink.isLink(Array(file.utf8)) }

    /// The name of the input in errors.
    package var name: String { isLink ? "the link" : input.name }

    /// The link in the argument, or the contents of the file.
    func contents(_ contents: FileContents = FileContents()) throws -> [UInt8] {
        try isLink ? Array(file.utf8) : contents.bytes(of: input)
    }

    /// The signing request in the contents, which may be the text of QR codes; nil for another form
    /// of a transaction. A final line ending is dropped.
    func link(in text: [UInt8]) throws -> RequestLink? {
        if let codes = ScannedCodes(text) {
            return try placed(at: name) { try codes.link().map { try RequestLink(utf8: Array($0.utf8)) } }
        }
        guard RequestLink.isLink(text) else { return nil }
        var text = text[...]
        if !isLink, text.last == UInt8(ascii: "\n") {
            text = text.dropLast()
            if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        }
        return try placed(at: name) { try RequestLink(utf8: Array(text)) }
    }
}
