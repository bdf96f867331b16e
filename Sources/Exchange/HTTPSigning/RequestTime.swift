/// The unit of a time, or of nonces that follow the clock.
package enum TimeUnit: String, CaseIterable, Sendable {
    case milliseconds = "ms"
    case microseconds = "us"
    case seconds = "s"

    fileprivate var microseconds: UInt64 {
        switch self {
        case .milliseconds: 1_000
        case .microseconds: 1
        case .seconds: 1_000_000
        }
    }

    /// `number` plus one minute in this unit; `UInt64.max` on overflow.
    package func minute(after number: UInt64) -> UInt64 {
        let minute: UInt64 =
            switch self {
            case .milliseconds: 60_000
            case .microseconds: 60_000_000
            case .seconds: 60
            }
        let (sum, overflow) = number.addingReportingOverflow(minute)
        return overflow ? .max : sum
    }
}

/// The time of a request.
package struct RequestTime: Hashable, Sendable {
    /// Since 1970, without leap seconds.
    package let microseconds: UInt64

    /// The last microsecond of the year 9999
    private static let latest: UInt64 = 253_402_300_799_999_999

    /// - Throws: `request(timeOutOfRange)` after the year 9999.
    package init(_ value: UInt64, _ unit: TimeUnit) throws(HTTPSigningError) {
        let (microseconds, overflow) = value.multipliedReportingOverflow(by: unit.microseconds)
        guard !overflow, microseconds <= Self.latest else { throw .request(.timeOutOfRange) }
        self.microseconds = microseconds
    }

    /// The time in whole units, rounded down. Each divisor is a constant, so that the processor
    /// does not divide: `make ctime` allows no division in this module.
    package func value(in unit: TimeUnit) -> UInt64 {
        switch unit {
        case .milliseconds: microseconds / 1_000
        case .microseconds: microseconds
        case .seconds: microseconds / 1_000_000
        }
    }

    // MARK: - text

    /// With milliseconds, for example `2020-12-08T09:08:57.715Z` (RFC 3339).
    var isoText: String { secondsText + "." + Self.digits(value(in: .milliseconds) % 1_000, 3) + "Z" }

    /// With microseconds.
    var exactText: String { secondsText + "." + Self.digits(microseconds % 1_000_000, 6) + "Z" }

    private var secondsText: String {
        let date = civilDate
        return
            "\(Self.digits(date.year, 4))-\(Self.digits(date.month, 2))-\(Self.digits(date.day, 2))T\(clock)"
    }

    /// As the profile `gamesystem` has it, for example `20140301 13:05:09 UTC`.
    var compactText: String {
        let date = civilDate
        return
            "\(Self.digits(date.year, 4))\(Self.digits(date.month, 2))\(Self.digits(date.day, 2)) \(clock) UTC"
    }

    /// As the header Date has it, for example `Tue, 20 Apr 2021 02:07:55 GMT` (RFC 9110, 5.6.7).
    var headerText: String {
        let date = civilDate
        let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
        // 1970 began on a Thursday.
        let weekday = ["Thu", "Fri", "Sat", "Sun", "Mon", "Tue", "Wed"][Int(days % 7)]
        return
            "\(weekday), \(Self.digits(date.day, 2)) \(months[Int(date.month) - 1]) \(Self.digits(date.year, 4)) "
            + "\(clock) GMT"
    }

    private var days: UInt64 { value(in: .seconds) / 86_400 }

    /// Hours, minutes and seconds.
    private var clock: String {
        let seconds = value(in: .seconds) % 86_400
        return [seconds / 3_600, seconds / 60 % 60, seconds % 60].map { Self.digits($0, 2) }.joined(
            separator: ":")
    }

    private static func digits(_ number: UInt64, _ count: Int) -> String {
        let text = "\(number)"
        return String(repeating: "0", count: max(0, count - text.utf8.count)) + text
    }

    /// The date in the Gregorian calendar. Years are counted from 1 March, so that a leap day is
    /// the last day of its year.
    var civilDate: (year: UInt64, month: UInt64, day: UInt64) {
        // From 1 March of the year 0
        let all = days + 719_468
        let (era, day) = all.quotientAndRemainder(dividingBy: 146_097)
        let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365
        let dayOfYear = day - (365 * year + year / 4 - year / 100)
        let month = (5 * dayOfYear + 2) / 153
        let dayOfMonth = dayOfYear - (153 * month + 2) / 5 + 1
        return (year + era * 400 + (month < 10 ? 0 : 1), month < 10 ? month + 3 : month - 9, dayOfMonth)
    }
}
