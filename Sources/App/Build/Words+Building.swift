import ABICodec
import Keys
import Shell
import Transactions

extension BuildError: WordedError {
    package var words: Words {
        switch self {
        case .transaction(let error): error.words
        case .amount(let fault): Self.words(fault)
        case .account(let fault): Self.words(fault)
        case .authority(let fault): Self.words(fault)
        case .vote(let fault): Self.words(fault)
        case .block(let fault): Self.words(fault)
        case .expiration(let fault): Self.words(fault)
        case .proposal(let fault): Self.words(fault)
        }
    }

    private static func words(_ fault: BuildError.Amount) -> Words {
        switch fault {
        case .unknownToken(let symbol):
            Words(
                .unknownToken, "the token \(symbol.code.text) is not known for this chain",
                hint: "check --chain and the token, or name the token's contract with --token-contract ACCOUNT")
        case .wrongPrecision(let symbol, let known):
            Words(
                .invalidAmount,
                "\(Words.count(symbol.precision, "decimal")), but \(known.symbol.code.text) of "
                    + "\(known.contract.text) has \(known.symbol.precision)",
                hint: "write the amount with exactly \(Words.count(known.symbol.precision, "decimal"))")
        case .notPositive: Words(.invalidAmount, "the amount is zero", hint: "give an amount greater than zero")
        case .negative: Words(.invalidAmount, "the amount is negative", hint: "give an amount without a minus")
        case .differentTokens:
            Words(.invalidAmount, "the two amounts are of different tokens", hint: "give both in the same token")
        case .zero: Words(.invalidAmount, "a number is zero", hint: "give a number greater than zero")
        case .fractionTooLarge(let limit):
            Words(
                .invalidAmount, "a fraction is more than \(limit), all of the chain's NET or CPU",
                hint: "\(limit / 100) is 1 %")
        case .negativeFraction: Words(.invalidAmount, "a fraction is negative", hint: "give a fraction without a minus")
        }
    }

    private static func words(_ fault: BuildError.Account) -> Words {
        switch fault {
        case .notAPermission:
            Words(.invalidAction, "not of the form ACCOUNT@PERMISSION", hint: "for example alice@active")
        case .permissionTwice(let name):
            Words(
                .invalidAction, "the permission `\(Printable.excerpt(name))` occurs twice",
                hint: "the file was changed, or a faulty node wrote it: get it again from another node")
        case .empty: Words(.invalidValue, "a name is empty", hint: "give the name of an account or permission")
        case .nameTooLong:
            Words(
                .invalidValue, "a new account has at most 12 characters",
                hint: "a new account has up to 12 characters of a to z, 1 to 5 and dots")
        case .transferToSelf: Words(.invalidAction, "the sender is also the recipient", hint: "name another recipient")
        case .memoTooLong(let limit):
            Words(.tooLarge, "the memo has more than \(limit) bytes", hint: "give a shorter memo")
        case .reservedPermission(let permission):
            Words(
                .invalidAction, "the permission \(permission.text) is reserved: its name starts with `eosio.`",
                hint: "name another permission")
        case .wrongParent(let parent, let permission):
            Words(
                .invalidAction, "\(permission.text) can't have the parent `\(parent.text)`",
                hint: "owner has no parent; the parent of active is owner; no permission is its own parent")
        case .otherParent(let parent):
            Words(
                .invalidAction, "the permission has the parent `\(parent.text)`, which can't be changed",
                hint: "give this parent, or name another permission")
        case .otherAccount(let stated):
            Words(
                .wrongFile, "the file is about the account \(Printable.excerpt(stated))",
                hint: "get the right file with `cleos get account ACCOUNT -j`")
        case .stakeToSelf:
            Words(
                .invalidAction, "--transfer gives the stake to its own account",
                hint: "omit --transfer, or name another receiver")
        }
    }

    private static func words(_ fault: BuildError.AuthorityFault) -> Words {
        switch fault {
        case .zeroThreshold: Words(.invalidAction, "the threshold is zero", hint: "give a threshold of at least 1")
        case .unreachable(let threshold, let weight):
            Words(
                .invalidAction, "all weights together are \(weight), less than the threshold \(threshold)",
                hint: "no one could use this authority: lower the threshold, or add keys or accounts")
        case .duplicateKey(let key): Words(.invalidAction, "the key \(key.text) occurs twice", hint: Words.onceHint)
        case .duplicateAccount(let level): Words(.invalidAction, "\(level.text) occurs twice", hint: Words.onceHint)
        case .duplicateWait(let seconds):
            Words(.invalidAction, "the wait of \(Words.count(seconds, "second")) occurs twice", hint: Words.onceHint)
        case .zeroWait: Words(.invalidAction, "a wait has zero seconds", hint: "give a wait of at least 1 second")
        case .tooManyParts(let limit):
            Words(.invalidAction, "more than \(limit) keys, accounts and waits", hint: "remove some of them")
        case .unknownLabel(let label):
            Words(
                .noSuchKey, "`\(Printable.excerpt(label))` is neither a public key nor a label",
                hint: "see `eosvault list`")
        }
    }

    private static func words(_ fault: BuildError.Vote) -> Words {
        switch fault {
        case .nobody: Words(.invalidAction, "neither producers nor a proxy", hint: "name producers, or --proxy")
        case .producersAndProxy:
            Words(.invalidAction, "producers and a proxy", hint: "name producers or --proxy, not both")
        case .duplicateProducer(let producer):
            Words(.invalidAction, "the producer \(producer.text) occurs twice", hint: "name each producer once")
        case .tooManyProducers(let limit):
            Words(.invalidAction, "more than \(limit) producers", hint: "a vote has at most \(limit) producers")
        }
    }

    private static func words(_ fault: BuildError.Block) -> Words {
        switch fault {
        case .notAnAnswer:
            Words(
                .wrongFile, "neither an answer to get_info nor one to get_block",
                hint: "give the output of `cleos get info`, or give --block-id")
        case .zeroID: Words(.wrongFile, "the block id is zero", hint: "get a recent one with `cleos get info`")
        case .memberDisagrees(let member):
            Words(
                .disagreement, "`\(member)` is not that of the block id",
                hint: "the file was changed, or a faulty node wrote it: get it again from another node")
        }
    }

    private static func words(_ fault: BuildError.Expiration) -> Words {
        switch fault {
        case .unreadable:
            Words(.invalidValue, "neither a duration nor a time", hint: "for example 90m, or 2026-12-01T00:00:00")
        case .zero: Words(.invalidValue, "the duration is zero", hint: "for example 90m")
        case .tooLate: Words(.invalidValue, "after the last possible time", hint: "the last is 2106-02-07T06:28:15")
        }
    }

    private static func words(_ fault: BuildError.Proposal) -> Words {
        switch fault {
        case .nobodyRequested:
            Words(.invalidAction, "no permission is requested", hint: "name the permissions that must approve")
        case .requestedTwice(let level):
            Words(.invalidAction, "\(level.text) is requested twice", hint: "name each permission once")
        case .contextFree:
            Words(
                .invalidAction, "the proposed transaction has context-free actions or data",
                hint: "eosio.msig refuses them: make the transaction without them")
        case .extensions:
            Words(
                .invalidAction, "the proposed transaction has extensions",
                hint: "chains refuse them: make the transaction without them")
        case .signed:
            Words(
                .invalidAction, "the proposed transaction has signatures",
                hint: "a proposal has none: give the transaction as it was before `sign`")
        case .noRow(let name):
            Words(
                .wrongFile, "the file does not have the proposal \(name.text)",
                hint: "get it with `cleos get table eosio.msig PROPOSER proposal`")
        case .severalRows:
            Words(.wrongFile, "the file has several proposals, or none", hint: "give the row of one proposal")
        case .ambiguousHex:
            Words(
                .wrongFile,
                "the only action in the hex is `propose`: it can be the proposal, or the transaction that proposes",
                hint: "give the proposal's row as JSON, from `cleos get table eosio.msig PROPOSER proposal`, "
                    + "or the transaction that proposes as JSON")
        case .notPropose:
            Words(.wrongFile, "the action is not `propose`", hint: "give the propose action, or the table row")
        case .emptyName: Words(.invalidValue, "the name of the proposal is empty", hint: "give its name")
        case .zeroHash: Words(.invalidAction, "the hash is zero", hint: "compute it with --proposal FILE")
        }
    }
}

extension Words {
    fileprivate static let onceHint = "give it once, with the sum of the weights"

    // MARK: - notes and warnings

    static func forgottenBlock(_ time: TimePointSec) -> String {
        "the block is of \(time.text) UTC, which will be too old: nodes accept the transaction only in the hour before "
            + "it expires, and a block is valid for about 9 hours; use a newer block, or an earlier --expires"
    }

    static func replacesUnknown(_ place: String) -> String {
        "updateauth \(place) replaces unknown keys and accounts: to see them, save the output of "
            + "`cleos get account \(place.prefix { $0 != "@" }) -j`, and give the file with --authority"
    }

    static func replaces(_ place: String, _ authority: Authority) -> String {
        "updateauth \(place) replaces: \(text(of: authority))"
    }

    static func makesPermission(_ place: String) -> String { "updateauth \(place) makes a new permission" }

    static func setsAuthority(of place: String, _ authority: Authority) -> String {
        "updateauth \(place) sets: \(text(of: authority))"
    }

    /// For example `threshold 2: EOS… weight 1, bob@active weight 1, 3600 seconds weight 1`.
    fileprivate static func text(of authority: Authority) -> String {
        let parts =
            authority.keys.map { "\($0.key.text) weight \($0.weight)" }
            + (authority.nullKeyWeight.map { ["\(NullKey.legacyText) weight \($0)"] } ?? [])
            + authority.accounts.map { "\($0.level.text) weight \($0.weight)" }
            + authority.waits.map { "wait of \(count($0.seconds, "second")) weight \($0.weight)" }
        return "threshold \(authority.threshold): " + parts.joined(separator: ", ")
    }
}
