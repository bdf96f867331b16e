import ABICodec
import Codecs
import JSON
import Messages
import Policy
import Transactions

// Warnings about the header of a transaction, and about earlier signatures of its actions.

extension Warning {
    static func expired(secondsAgo seconds: Int64, in subject: Subject = .transaction) -> Warning {
        Warning(
            .expired, subject, [.number(seconds)],
            text:
                "\(subject.transactionText) expired \(Amount.duration(seconds)) ago, by this machine's clock: "
                + (subject == .transaction
                    ? "build it again with a later expiration" : "it can't be executed"))
    }

    /// The way back to a machine with a network may take longer than this.
    static func shortWindow(expiresInSeconds seconds: Int64) -> Warning {
        Warning(
            .shortWindow, .transaction, [.number(seconds)],
            text:
                "the transaction expires in \(Amount.duration(seconds)): if the way back to a node takes longer, "
                + "build it again with a later expiration (nodes accept it in its last hour), or propose it with "
                + "eosio.msig")
    }

    static func tooEarly(pushableInSeconds seconds: Int64) -> Warning {
        Warning(
            .tooEarly, .transaction, [.number(seconds)],
            text: "too early: nodes accept the transaction only in the last hour before it expires, "
                + "which starts in \(Amount.duration(seconds))")
    }

    static func beyondTAPOS(expiresInSeconds seconds: Int64) -> Warning {
        Warning(
            .beyondTAPOS, .transaction, [.number(seconds)],
            text:
                "the transaction expires in \(Amount.duration(seconds)), but its reference block is valid for about "
                + "9 hours: nodes will not accept it; build it again with an earlier expiration, or propose it with "
                + "eosio.msig")
    }

    static func noActions(in subject: Subject = .transaction) -> Warning {
        Warning(.noActions, subject, text: "\(subject.transactionText) has no actions")
    }

    static func delay(seconds: UInt32, in subject: Subject = .transaction) -> Warning {
        Warning(
            .delay, subject, [.number(seconds)],
            text: subject == .transaction
                ? "delay_sec is \(seconds): most public chains refuse deferred transactions; "
                    + "other chains run the transaction after the delay"
                : "delay_sec of the inner transaction is \(seconds): contracts execute it only after the delay, or "
                    + "refuse it")
    }

    static func extensions(count: Int, in subject: Subject = .transaction) -> Warning {
        Warning(
            .extensions, subject, [.number(count)],
            text:
                "\(subject.transactionText) has \(Amount.count(count, "transaction extension")), which current "
                + "chains refuse")
    }

    static func limits(netWords words: UInt32, cpuMilliseconds milliseconds: UInt8, in subject: Subject)
        -> Warning
    {
        Warning(
            .limits, subject, [.number(words), .number(milliseconds)],
            text: "\(subject.transactionText) limits its own resources: max_net_usage_words \(words), "
                + "max_cpu_usage_ms \(milliseconds)")
    }

    static func contextFreeActions(in subject: Subject = .transaction) -> Warning {
        Warning(
            .contextFreeActions, subject,
            text: "\(subject.transactionText) has context-free actions, which no one authorizes")
    }

    static let nonce = Warning(
        .nonce, .transaction,
        text: "a context-free nonce makes equal transactions different; it does nothing else")

    static let contextFreeDataWithoutActions = Warning(
        .contextFreeData, .transaction,
        text: "the transaction has context-free data but no context-free actions")

    static func signedBefore(id: String, expiration: TimePointSec) -> Warning {
        Warning(
            .signedBefore, .transaction, [.string(id), .string(expiration.text)],
            text: "this vault signed the same actions before, in transaction \(id), which can run until "
                + "\(expiration.text) UTC: if you sign, both transactions can run")
    }

    /// The summary has no room for so many payers and tokens, and kinds of changes. It depends on
    /// the terminal, so only a text has it.
    package static func summaryCut(payments: Int, changes: Int) -> Warning {
        Warning(
            .summaryCut, .transaction,
            text: "the summary has no room for "
                + [
                    payments > 0
                        ? Amount.count(payments, "more payer or token", plural: "more payers or tokens")
                        : nil,
                    changes > 0
                        ? Amount.count(changes, "more kind of change", plural: "more kinds of changes") : nil,
                ].compactMap(\.self).joined(separator: " and ") + ": read all actions")
    }
}

extension Review {
    /// nodeos accepts a transaction at most this many seconds before its expiration
    /// (`max_transaction_lifetime`).
    package static let maximumLifetime: Int64 = 3600

    /// How many seconds more than `maximumLifetime` give no warning. `cleos -x 3600` counts from
    /// the head block's time, and clocks differ by some seconds, so a transaction that is signed at
    /// once would seem too early. Carrying it to a networked machine takes longer than this
    /// tolerance.
    package static let clockTolerance: Int64 = 60

    /// A transaction that expires sooner than this gives a warning, in seconds: signing and the way
    /// back from a machine without a network take minutes.
    package static let shortWindow: Int64 = 600

    /// For how many seconds a block can be the reference of a transaction: 65,536 blocks of half a
    /// second (AntelopeIO/spring, libraries/chain/include/eosio/chain/block_summary_object.hpp).
    package static let referenceLifetime: Int64 = 32_768

    /// Seconds until the expiration; negative after it.
    /// - Parameter now: Seconds since 1970 by this machine's clock.
    package func remaining(now: Int64) -> Int64 { Int64(transaction.transaction.expiration.seconds) - now }

    func headerWarnings(now: Int64) -> [Warning] {
        var warnings: [Warning] = []
        let transaction = transaction.transaction
        let remaining = remaining(now: now)
        if isLogin {
            // No chain checks the expiration. A login of version 2 has none.
            if remaining <= 0, transaction.expiration.seconds > 0 {
                warnings.append(.expired(secondsAgo: -remaining))
            }
        } else if remaining <= 0 {
            warnings.append(.expired(secondsAgo: -remaining))
        } else if remaining < Self.shortWindow {
            warnings.append(.shortWindow(expiresInSeconds: remaining))
        } else if remaining > Self.maximumLifetime + Self.referenceLifetime {
            warnings.append(.beyondTAPOS(expiresInSeconds: remaining))
        } else if remaining > Self.maximumLifetime + Self.clockTolerance {
            warnings.append(.tooEarly(pushableInSeconds: remaining - Self.maximumLifetime))
        }
        warnings += transaction.headerWarnings(in: .transaction)
        if contextFreeActions.count == 1, contextFreeActions[0].isNonce {
            warnings.append(.nonce)
        } else if !contextFreeActions.isEmpty {
            warnings.append(.contextFreeActions())
        }
        if contextFreeActions.isEmpty, !self.transaction.contextFreeData.isEmpty {
            warnings.append(.contextFreeDataWithoutActions)
        }
        return warnings
            + liveVariants(now: now).map {
                .signedBefore(
                    id: Hex.encode($0.transaction), expiration: TimePointSec(seconds: $0.expiration))
            }
    }
}

extension Transaction {
    /// The warnings about a header, except warnings about its times.
    fileprivate func headerWarnings(in subject: Warning.Subject) -> [Warning] {
        var warnings: [Warning] = []
        if actions.isEmpty { warnings.append(.noActions(in: subject)) }
        if delaySec != 0 { warnings.append(.delay(seconds: delaySec, in: subject)) }
        if !extensions.isEmpty { warnings.append(.extensions(count: extensions.count, in: subject)) }
        if maxNetUsageWords != 0 || maxCPUUsageMS != 0 {
            warnings.append(.limits(netWords: maxNetUsageWords, cpuMilliseconds: maxCPUUsageMS, in: subject))
        }
        return warnings
    }
}

extension NestedTransaction {
    /// A contract executes the transaction until its expiration, however far ahead that is, and
    /// does not look at its reference block.
    func headerWarnings(now: Int64, in action: ActionReference) -> [Warning] {
        let header = transaction.transaction
        let remaining = Int64(header.expiration.seconds) - now
        return (remaining <= 0 ? [.expired(secondsAgo: -remaining, in: .nested(action))] : [])
            + header.headerWarnings(in: .nested(action))
            + (contextFreeActions.isEmpty ? [] : [.contextFreeActions(in: .nested(action))])
    }
}

extension ReviewedAction {
    /// The nonce that `cleos --force-unique` adds.
    var isNonce: Bool { action.nonce(isContextFree: place.isContextFree) != nil }
}
