/// The time of a request as the user gives it: a number since 1970, or a time in UTC such as
/// `2026-12-01T09:30:00Z` (RFC 3339), with at most six decimals. The `Z` may be missing.
package enum GivenTime: Hashable, Sendable {
    /// In the unit of the credential.
    case number(UInt64)
    case date(RequestTime)

    /// - Throws: `request` with `invalidTime` or `timeOutOfRange`.
    package init(_ text: String) throws(HTTPSigningError) {
        if let number = UInt64(text) {
            self = .number(number)
        } else {
            self = .date(try RequestTime(iso: text))
        }
    }

    /// The text that is read as the same time.
    package var text: String {
        switch self {
        case .number(let number): "\(number)"
        case .date(let time): time.exactText
        }
    }

    /// - Throws: `request(timeOutOfRange)`.
    package func time(in unit: TimeUnit) throws(HTTPSigningError) -> RequestTime {
        switch self {
        case .number(let number): try RequestTime(number, unit)
        case .date(let time): time
        }
    }
}

extension RequestTime {
    fileprivate init(iso text: String) throws(HTTPSigningError) {
        guard let time = Self.read(Array(text.utf8)) else { throw .request(.invalidTime) }
        self = time
    }

    private static func read(_ text: [UInt8]) -> RequestTime? {
        var rest = text[...]
        func take(_ separator: Character?, _ count: Int) -> UInt64? {
            if let separator {
                guard rest.first == separator.asciiValue else { return nil }
                rest.removeFirst()
            }
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
            rest = rest.dropFirst(count)
            return digits.reduce(0) { $0 * 10 + UInt64($1 - UInt8(ascii: "0")) }
        }
        guard let year = take(nil, 4), let month = take("-", 2), let day = take("-", 2),
            let hour = take("T", 2),
            let minute = take(":", 2), let second = take(":", 2), year >= 1970, (1...12).contains(month),
            hour < 24, minute < 60, second < 60
        else { return nil }
        var fraction: UInt64 = 0
        if rest.first == UInt8(ascii: ".") {
            let digits = rest.dropFirst().prefix(6).prefix(while: \.isASCIIDigit)
            guard let value = take(".", digits.count), !digits.isEmpty else { return nil }
            fraction = (digits.count..<6).reduce(value) { number, _ in number * 10 }
        }
        guard rest.isEmpty || rest.elementsEqual("Z".utf8) else { return nil }
        let seconds = ((days(year, month, day) * 24 + hour) * 60 + minute) * 60 + second
        guard let time = try? RequestTime(seconds * 1_000_000 + fraction, .microseconds),
            time.civilDate == (year, month, day)
        else { return nil }
        return time
    }

    /// The days from 1970 to a date of the Gregorian calendar, the inverse of `civilDate`. A day
    /// after the end of its month is a day of the next one.
    private static func days(_ year: UInt64, _ month: UInt64, _ day: UInt64) -> UInt64 {
        let year = month < 3 ? year - 1 : year
        let dayOfYear = (153 * (month < 3 ? month + 9 : month - 3) + 2) / 5 + day
        // From 1 March of the year 0
        return year * 365 + year / 4 - year / 100 + year / 400 + dayOfYear - 1 - 719_468
    }
}
