import ABICodec
import Keys
import Messages

/// Why a new transaction, or a part of it, is refused.
///
/// A chain refuses the same values. Here the error states the cause before anything is signed.
package enum BuildError: WordedError, Equatable {
    /// An ABI or a transaction that is read or encoded.
    case transaction(TransactionError)
    case amount(Fault)
    case account(Fault)
    case authority(Fault)
    case vote(Fault)
    case block(Fault)
    case expiration(Fault)
    case proposal(Fault)
    case payment(Fault)

    /// A value in an argument or in JSON, at the error's path.
    package static func value(_ error: ABIError) -> BuildError { .transaction(.value(error)) }

    package var words: Words {
        switch self {
        case .transaction(let error): error.words
        case .amount(let fault), .account(let fault), .authority(let fault), .vote(let fault),
            .block(let fault),
            .expiration(let fault), .proposal(let fault), .payment(let fault):
            fault.words
        }
    }

    /// A fault of one value, or of several together.
    package struct Fault: Equatable, Sendable {
        let words: Words

        init(_ message: String, code: ErrorCode = .invalidAction, hint: String? = nil) {
            words = Words(code, message, hint: hint)
        }
    }
}

extension BuildError.Fault {
    // MARK: - amounts

    /// The caller gives no contract.
    package static func unknownToken(_ symbol: Symbol) -> Self {
        Self(
            "the token \(symbol.code.text) is not known for this chain", code: .unknownToken)
    }
    package static func wrongPrecision(_ symbol: Symbol, known: KnownToken) -> Self {
        let decimals = Words.count(known.symbol.precision, "decimal")
        return Self(
            "\(Words.count(symbol.precision, "decimal")), but \(known.symbol.code.text) of "
                + "\(known.contract.text) has \(known.symbol.precision)",
            code: .invalidAmount, hint: "write the amount with exactly \(decimals)")
    }
    package static let notPositive = Self(
        "the amount is zero", code: .invalidAmount, hint: "give an amount greater than zero")
    package static let negative = Self(
        "the amount is negative", code: .invalidAmount, hint: "give an amount without a minus")
    package static let differentTokens = Self(
        "the two amounts are of different tokens", code: .invalidAmount, hint: "give both in the same token")
    package static let notAShare = Self(
        "neither a percentage nor a number of units", code: .invalidAmount,
        hint: "for example 1.5%, with at most 13 decimals")
    package static let zero = Self(
        "a number is zero", code: .invalidAmount, hint: "give a number greater than zero")
    package static func fractionTooLarge(limit: Int64) -> Self {
        Self(
            "a fraction is more than \(limit), all of the chain's NET or CPU", code: .invalidAmount,
            hint: "\(limit / 100) units are 1%")
    }
    package static let negativeFraction = Self(
        "a fraction is negative", code: .invalidAmount, hint: "give a fraction without a minus")

    // MARK: - accounts and permissions

    package static let notAPermission = Self(
        "not of the form ACCOUNT@PERMISSION", hint: "for example alice@active")
    /// In a node's answer.
    package static func permissionTwice(_ name: String) -> Self {
        Self("the permission `\(Printable.excerpt(name))` occurs twice", hint: changedFile)
    }
    package static let empty = Self(
        "a name is empty", code: .invalidValue, hint: "give the name of an account or permission")
    package static let nameTooLong = Self(
        "a new account has at most 12 characters", code: .invalidValue,
        hint: "a new account has up to 12 characters of a to z, 1 to 5 and dots")
    package static let transferToSelf = Self(
        "the sender is also the recipient", hint: "name another recipient")
    package static func memoTooLong(limit: Int) -> Self {
        Self("the memo has more than \(limit) bytes", code: .tooLarge, hint: "give a shorter memo")
    }
    package static func urlTooLong(limit: Int) -> Self {
        Self("the URL has more than \(limit) bytes", code: .tooLarge, hint: "give a shorter URL")
    }
    package static func reservedPermission(_ permission: Name) -> Self {
        Self(
            "the permission \(permission.text) is reserved: its name starts with `eosio.`",
            hint: "name another permission")
    }
    package static func wrongParent(_ parent: Name, of permission: Name) -> Self {
        Self(
            "\(permission.text) can't have the parent `\(parent.text)`",
            hint: "owner has no parent; the parent of active is owner; no permission is its own parent")
    }
    package static func otherParent(_ parent: Name) -> Self {
        Self(
            "the permission has the parent `\(parent.text)`, which can't be changed",
            hint: "give this parent, or name another permission")
    }
    package static func otherAccount(stated: String) -> Self {
        Self(
            "the file is about the account \(Printable.excerpt(stated))", code: .wrongFile,
            hint: "get the right file with `cleos get account ACCOUNT -j`")
    }
    package static let stakeToSelf = Self(
        "the stake would be transferred to its own account",
        hint: "name another receiver, or do not transfer it")

    // MARK: - authorities

    package static let zeroThreshold = Self("the threshold is zero", hint: "give a threshold of at least 1")
    package static func unreachable(threshold: UInt32, weight: UInt32) -> Self {
        Self(
            "all weights together are \(weight), less than the threshold \(threshold)",
            hint: "no one could use this authority: lower the threshold, or add keys or accounts")
    }
    package static func duplicateKey(_ key: PublicKey) -> Self { duplicate("the key \(key.text)") }
    package static func duplicateAccount(_ level: PermissionLevel) -> Self { duplicate(level.text) }
    package static func duplicateWait(seconds: UInt32) -> Self {
        duplicate("the wait of \(Words.count(seconds, "second"))")
    }
    private static func duplicate(_ part: String) -> Self {
        Self("\(part) occurs twice", hint: "give it once, with the sum of the weights")
    }
    package static let zeroWait = Self("a wait has zero seconds", hint: "give a wait of at least 1 second")
    package static func tooManyParts(limit: Int) -> Self {
        Self("more than \(limit) keys, accounts and waits", hint: "remove some of them")
    }
    package static func unknownLabel(_ label: String) -> Self {
        Self(
            "`\(Printable.excerpt(label))` is neither a public key nor a label", code: .noSuchKey)
    }

    // MARK: - votes

    package static let nobody = Self("neither producers nor a proxy", hint: "name producers, or a proxy")
    package static let producersAndProxy = Self(
        "producers and a proxy", hint: "name producers or a proxy, not both")
    package static func duplicateProducer(_ producer: Name) -> Self {
        Self("the producer \(producer.text) occurs twice", hint: "name each producer once")
    }
    package static func tooManyProducers(limit: Int) -> Self {
        Self("more than \(limit) producers", hint: "a vote has at most \(limit) producers")
    }

    // MARK: - blocks

    package static let notAnAnswer = Self(
        "neither an answer to get_info nor one to get_block",
        code: .wrongFile, hint: "give the output of `cleos get info`, or the id of a block")
    package static let zeroID = Self(
        "the block id is zero", code: .wrongFile, hint: "get a recent one with `cleos get info`")
    package static func memberDisagrees(_ member: String) -> Self {
        Self("`\(member)` does not match the block id", code: .disagreement, hint: changedFile)
    }

    // MARK: - the expiration

    package static let unreadable = Self(
        "neither a duration nor a time", code: .invalidValue, hint: "for example 90m, or 2026-12-01T00:00:00")
    package static let zeroDuration = Self(
        "the duration is zero", code: .invalidValue, hint: "for example 90m")
    package static let tooLate = Self(
        "after the last possible time", code: .invalidValue, hint: "the last is 2106-02-07T06:28:15")

    // MARK: - proposals

    package static let nobodyRequested = Self(
        "no permission is requested", hint: "name the permissions that must approve")
    package static func requestedTwice(_ level: PermissionLevel) -> Self {
        Self("\(level.text) is requested twice", hint: "name each permission once")
    }
    static func approvalTwice(_ level: PermissionLevel) -> Self {
        Self("\(level.text) occurs twice in the approvals", code: .wrongFile, hint: changedFile)
    }
    package static let contextFree = Self(
        "the proposed transaction has context-free actions or data",
        hint: "eosio.msig refuses them: make the transaction without them")
    package static let extensions = Self(
        "the proposed transaction has extensions",
        hint: "chains refuse them: make the transaction without them")
    package static let signed = Self(
        "the proposed transaction has signatures",
        hint: "a proposal has none: give the transaction as it was before `sign`")
    package static func noRow(_ name: Name) -> Self {
        Self(
            "the file does not have the proposal \(name.text)", code: .wrongFile,
            hint: "get it with `cleos get table eosio.msig PROPOSER proposal`")
    }
    package static let severalRows = Self(
        "the file has several proposals, or none", code: .wrongFile, hint: "give the row of one proposal")
    /// A row, or the transaction that makes the row.
    package static let ambiguousHex = Self(
        "the only action in the hex is `propose`: it can be the proposal, or the transaction that proposes",
        code: .wrongFile,
        hint: "give the proposal's row as JSON, from `cleos get table eosio.msig PROPOSER proposal`, "
            + "or the transaction that proposes as JSON")
    package static let notPropose = Self(
        "the action is not `propose`", code: .wrongFile, hint: "give the propose action, or the table row")
    package static let emptyName = Self(
        "the name of the proposal is empty", code: .invalidValue, hint: "give its name")
    package static let zeroHash = Self("the hash is zero", hint: "compute it from the proposal")

    private static let changedFile =
        "the file was changed, or a faulty node wrote it: get it again from another node"
}
