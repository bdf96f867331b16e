import ABICodec
import Policy
import Transactions

/// The effects of the allowed transactions of a batch, in limited memory for a batch of any length.
package struct BatchSummary: Sendable {
    /// The transactions that lack a signature of a key.
    package private(set) var signableCount = 0
    /// The transactions that every key has signed already.
    package private(set) var completeCount = 0
    /// The other transactions that the vault signed before. They get the same signatures again.
    package private(set) var repeatedCount = 0
    package private(set) var running: RunningSummary
    /// The warnings by code and severity, the most severe first.
    package var warnings: [Flagged] {
        Severity.allCases.reversed().flatMap { severity in flagged.values.filter { $0.severity == severity } }
    }
    /// The earliest and the latest expiration; nil without a transaction.
    package private(set) var expirations: ClosedRange<UInt32>?

    private var flagged = Collected<FlagKey, Flagged>()

    /// The transactions with a warning.
    package struct Flagged: Sendable {
        package let code: WarningCode
        package let severity: Severity
        /// The first warning, and the number of its line.
        package let first: Warning
        package let line: Int
        /// How many transactions have the warning.
        package fileprivate(set) var count = 0
    }

    private struct FlagKey: Hashable {
        let code: WarningCode
        let severity: Severity
    }

    /// - Parameter limit: the most sums, unless a test sets another number.
    package init(limit: Int = RunningSummary.maximumCount) { running = RunningSummary(limit: limit) }

    /// - Parameter now: seconds since 1970.
    /// - Returns: false if there is no room for everything that the transactions do.
    package mutating func add(_ request: SigningBatch.Request, line: Int, now: Int64) -> Bool {
        guard !request.isComplete else {
            completeCount += 1
            return true
        }
        signableCount += 1
        if request.wasSignedBefore { repeatedCount += 1 }
        guard running.add(request.review) else { return false }
        let expiration = request.review.transaction.transaction.expiration.seconds
        let range = expirations ?? expiration...expiration
        expirations = min(range.lowerBound, expiration)...max(range.upperBound, expiration)
        for group in WarningGroup.all(request.warnings(now: now)) {
            let new = Flagged(code: group.code, severity: group.severity, first: group.first, line: line)
            flagged.update(FlagKey(code: group.code, severity: group.severity), new) { $0.count += 1 }
        }
        return true
    }
}
