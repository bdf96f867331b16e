import ABICodec
import ArgumentParser
import Files
import Hardening
import Keys
import Shell
import Signing
import SigningRequests
import Transactions

struct RequestVerify: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify", abstract: "Verify what a wallet answered to a signing request, on a server.",
        discussion: """
            FILE has the proof of a login (the header `EOSIO …`), or the JSON that a wallet sends to a callback. The \
            command verifies that the signature is from the expected key, that it has not expired, and that it is for \
            the chain, the scope and the request that the server expects. With a callback, it makes the transaction \
            of the request again and compares it. The exit status is 1 if anything differs.

            --authority verifies the account: the keys must reach the threshold of its permission. --key verifies \
            only the key: who signs for the account that the answer states is then for you to know. A login needs \
            --scope, and --request instead for version 2, which has no scope. Accept each request once: a login of \
            version 2 does not expire, and anyone who has an answer can send it again.
            """)

    @Argument(help: "The proof or the payload; `-` for standard input.", completion: .file())
    var file: InputFile

    @Option(name: .shortAndLong, help: .chain, completion: .chains)
    var chain: ChainArgument

    @Option(
        help: "A public key that must have signed. Repeat the option if several must.", completion: .keys)
    var key: [String] = []

    @OptionGroup var accounts: AccountFiles

    @Option(help: ArgumentHelp("The scope that a login must have.", valueName: "name"))
    var scope: String?

    @Option(help: ArgumentHelp("The signing request that must have been answered.", valueName: "file"))
    var request: InputFile?

    @OptionGroup var abis: ABIOptions

    @Option(
        help: ArgumentHelp(
            "Verify for this time instead of now, in UTC (2026-12-01T00:00:00).", valueName: "time"))
    var at: String?

    @OptionGroup var common: CommonOptions

    func validate() throws {
        guard key.isEmpty != accounts.authority.isEmpty else {
            throw ValidationError(
                "give --key with the expected key, or --authority with the account's permissions")
        }
        try [file].refuseSharedInput(
            with: [InputFile](given: request) + abis.files + accounts.authority)
    }

    var requiredAccess: FileAccess {
        ([file] + [InputFile](given: request) + abis.files + accounts.authority).fileAccess
    }

    func run() throws {
        let chain = try chain.value
        let expected = try key.map { text in try parsing("--key") { try PublicKey(text) } }
        let scope = try scope.map { try parsedName($0, "--scope") }
        let time = try at.map { text in try parsing("--at") { try TimePointSec(text) } }
        let own = try request.map { file in
            try placed(at: file.name) { try RequestLink(utf8: file.readLine()) }
        }
        let contracts = try abis.contracts()
        let verified = try placed(at: file.name) {
            let answer = try WalletAnswer(
                reading: file.read(atMost: WalletAnswer.maximumCount), chain: chain, abis: contracts)
            try check(answer, chain, scope, own, now: time.map { Int64($0.seconds) } ?? Clock.now)
            return VerifiedAnswer(
                answer: answer, keys: try answer.keys(), isAccountVerified: !accounts.authority.isEmpty,
                isRequestVerified: own != nil)
        }
        try expectKeys(verified, expected)
        try json.report(verified.text, json: verified.json)
    }

    /// Compares the answer with what the server expects, except for the keys.
    private func check(
        _ answer: WalletAnswer, _ chain: ChainID, _ scope: Name?, _ own: RequestLink?, now: Int64
    ) throws {
        guard answer.chain == chain else { throw UnexpectedAnswer.otherChain(answer.chain) }
        if let own {
            guard let link = answer.link else { throw UnexpectedAnswer.noRequest }
            guard link.request == own.request else { throw UnexpectedAnswer.otherRequest }
        }
        if answer.isLogin {
            if let scope {
                guard answer.scope == scope else { throw UnexpectedAnswer.otherScope(answer.scope) }
            } else if own == nil {
                throw UnexpectedAnswer.nothingExpected(hasScope: answer.scope != nil)
            }
        } else if scope != nil {
            throw UnexpectedAnswer.noLogin
        }
        if let expiration = answer.expiration, now >= Int64(expiration.seconds) {
            throw UnexpectedAnswer.expired(expiration)
        }
    }

    private func expectKeys(_ verified: VerifiedAnswer, _ expected: [PublicKey]) throws {
        guard !accounts.authority.isEmpty else {
            guard Set(verified.keys) == Set(expected) else {
                throw Placed(place: file.name, error: UnexpectedAnswer.otherKeys(verified.keys))
            }
            return
        }
        let level = verified.answer.signer
        let status = try accounts.read { accounts throws(UnreadableAuthority) in
            var checker = AuthorityChecker(
                keys: Set(verified.keys), delay: 0, accounts: accounts, comparesUsedKeys: false)
            return try checker.check(level).status
        }
        guard status == .met else {
            throw Placed(place: file.name, error: UnexpectedAnswer.authority(level, status))
        }
    }
}

extension InputFile {
    /// The bytes of a file with one line, without its line ending.
    fileprivate func readLine() throws(InputFile.Failure) -> [UInt8] {
        var text = try read(atMost: RequestLink.maximumLength + 2)[...]
        if text.last == UInt8(ascii: "\n") { text = text.dropLast() }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        return Array(text)
    }
}

/// An answer of a wallet that is as expected.
struct VerifiedAnswer: JSONDescribed {
    let answer: WalletAnswer
    let keys: [PublicKey]
    /// True if the keys reach the threshold of the account's permission.
    let isAccountVerified: Bool
    let isRequestVerified: Bool

    var text: String {
        var rows = Rows(width: TerminalSize(of: FileDescriptor.standardOutput.number).columns)
        let scope = answer.scope.map { ", scope \($0.rawValue == 0 ? "(empty)" : $0.text)" } ?? ""
        rows.append(named: "verified", words: (answer.isLogin ? "a login" : "a signed transaction") + scope)
        rows.append(
            named: "account",
            words: answer.signer.text
                + (isAccountVerified ? "" : ", as stated: --authority verifies that the key is the account's")
        )
        for key in keys { rows.append(named: "key", words: key.text) }
        rows.append(
            named: "expires", words: answer.expiration.map { "\(ReviewText.date($0)) UTC" } ?? "never")
        rows.append(named: "transaction", words: answer.transaction.id)
        rows.append(
            named: "request", words: isRequestVerified ? "the expected one" : "not compared: give --request")
        return rows.rows.map { $0 + "\n" }.joined()
    }

    static let object = JSONObject<VerifiedAnswer>([
        .boolean("verified", "true: everything else is an error") { _ in true },
        .boolean("login", "whether it is a login, not a transaction for a chain") { $0.answer.isLogin },
        .text("account", "the account that the answer states") { $0.answer.signer.actor.text },
        .text("permission", "its permission") { $0.answer.signer.permission.text },
        .boolean("account_verified", "whether the keys reach the threshold of the permission in --authority")
        {
            $0.isAccountVerified
        },
        .texts("public_keys", "the keys that signed") { $0.keys.map(\.text) },
        .text("chain_id", "the chain") { $0.answer.chain.text },
        .text(orNull: "scope", "who asked for the login; null without one") { $0.answer.scope?.text },
        .text(orNull: "expiration", "in UTC; null for a login of version 2, which does not expire") {
            $0.answer.expiration?.text
        },
        .text("transaction_id", "the transaction that was signed") { $0.answer.transaction.id },
        .boolean("request_verified", "whether it answers the request of --request") { $0.isRequestVerified },
    ])
}

/// Why an answer of a wallet is not what the server expects.
private enum UnexpectedAnswer: WordedError {
    case otherChain(ChainID)
    /// A proof does not contain its request.
    case noRequest
    case otherRequest
    case otherScope(Name?)
    case noLogin
    /// Neither --scope nor --request was given for a login.
    case nothingExpected(hasScope: Bool)
    case expired(TimePointSec)
    case otherKeys([PublicKey])
    case authority(PermissionLevel, AuthorityChecker.Status)

    var words: Words {
        switch self {
        case .otherChain(let chain):
            Words(
                .otherChain,
                "the answer is for the chain \(chain.chain?.name ?? chain.text), not for --chain",
                hint: "do not accept it, or correct --chain")
        case .noRequest:
            Words(
                .notVerified, "the proof of a login does not contain its request",
                hint: "omit --request and give --scope, or verify the JSON of the callback")
        case .otherRequest: Words(.notVerified, "the answer is for another request than --request")
        case .otherScope(let scope):
            Words(
                .notVerified,
                scope.map { "the login is for the scope \($0.rawValue == 0 ? "(empty)" : $0.text)" }
                    ?? "the login is of version 2, which has no scope")
        case .noLogin: Words(.notVerified, "the answer is a signed transaction, not a login")
        case .nothingExpected(let hasScope):
            Words(
                .usage, "the answer is a login\(hasScope ? "" : " of version 2, which has no scope")",
                hint: (hasScope ? "give --scope or --request" : "give --request")
                    + ", so that a login for another site is refused")
        case .expired(let time): Words(.proofExpired, "the answer expired at \(ReviewText.date(time)) UTC")
        case .otherKeys(let keys):
            Words(.notVerified, "the keys that signed are \(keys.map(\.text).joined(separator: ", "))")
        case .authority(let level, let status):
            switch status {
            case .met, .notMet:
                Words(.notVerified, "the keys that signed do not reach the threshold of \(level.text)")
            case .noSuchPermission:
                Words(
                    .notVerified, "the account \(level.actor.text) has no permission \(level.permission.text)"
                )
            case .unknown:
                Words(
                    .notVerified, "--authority does not have all accounts that \(level.text) needs",
                    hint:
                        "give the file of \(level.actor.text), and of each account that its permission refers to"
                )
            }
        }
    }
}
