import ABICodec
import Codecs

/// When a new transaction expires, as a user writes it: a duration from now, such as `90m`, or a
/// time in UTC, such as `2026-12-01T00:00:00`.
package struct ExpirationText: Sendable {
    private enum Kind {
        case duration(seconds: UInt64)
        case time(TimePointSec)
    }

    private let kind: Kind

    /// A number of seconds, or a number with the unit `s`, `m`, `h` or `d`; or a time in the form
    /// of a transaction's JSON.
    package init(_ text: String) throws(BuildError) {
        if text.contains("T") {
            let time = try converting(BuildError.value, TimePointSec(text))
            // nodeos wraps a time after 2106.
            guard text.hasPrefix(time.text) else { throw .expiration(.tooLate) }
            kind = .time(time)
            return
        }
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard let unit = Self.seconds(in: text.dropFirst(digits.count)), !digits.isEmpty else {
            throw .expiration(.unreadable)
        }
        guard let number = UInt32(digits) else { throw .expiration(.tooLate) }
        guard number > 0 else { throw .expiration(.zeroDuration) }
        kind = .duration(seconds: UInt64(number) * unit)
    }

    private static func seconds(in unit: Substring) -> UInt64? {
        switch unit {
        case "", "s": 1
        case "m": 60
        case "h": 3_600
        case "d": 86_400
        default: nil
        }
    }

    /// - Parameter now: Seconds since 1970 by this machine's clock.
    package func time(now: Int64) throws(BuildError) -> TimePointSec {
        switch kind {
        case .time(let time): return time
        case .duration(let seconds):
            let (sum, overflow) = now.addingReportingOverflow(Int64(seconds))
            guard !overflow, let time = UInt32(exactly: sum) else { throw .expiration(.tooLate) }
            return TimePointSec(seconds: time)
        }
    }
}
