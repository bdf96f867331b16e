/// The text of a time, and the calendar that it needs.
///
/// nodeos reads `YYYY-MM-DDThh:mm:ss` into 32 bits of seconds since 1970, whatever the year, so
/// 1969-12-31T23:59:59 becomes 2106-02-07T06:28:15. Two-digit hours, minutes and seconds carry
/// over, so 23:59:60 is the next midnight (AntelopeIO/spring, libraries/libfc/src/time.cpp;
/// Vectors/abi.json, tests 1418 to 1421). The date must exist.
struct CivilTime {
    /// Since 1970, modulo 2^32.
    let seconds: UInt32
    /// Of the fraction: 0 to 999.
    let milliseconds: UInt32
}

extension CivilTime {
    /// - Parameter type: The name of the type in the error.
    /// - Throws: `.invalidTime`
    init(utf8 text: Span<UInt8>, type: StaticString) throws(ABIError) {
        guard let time = Self.parse(text) else { throw ABIError(.invalidTime(type: "\(type)")) }
        self = time
    }

    /// `YYYY-MM-DDThh:mm:ss[.f{1,3}]`
    private static func parse(_ text: Span<UInt8>) -> CivilTime? {
        guard text.count == 19 || (text.count > 20 && text.count <= 23 && text[19] == UInt8(ascii: "."))
        else {
            return nil
        }
        func number(at start: Int, digits: Int) -> Int? {
            var value = 0
            for index in start..<start + digits {
                let digit = text[index] &- UInt8(ascii: "0")
                guard digit < 10 else { return nil }
                value = value * 10 + Int(digit)
            }
            return value
        }
        guard text[4] == UInt8(ascii: "-"), text[7] == UInt8(ascii: "-"), text[10] == UInt8(ascii: "T"),
            text[13] == UInt8(ascii: ":"), text[16] == UInt8(ascii: ":"),
            let year = number(at: 0, digits: 4), let month = number(at: 5, digits: 2),
            let day = number(at: 8, digits: 2),
            let hour = number(at: 11, digits: 2), let minute = number(at: 14, digits: 2),
            let second = number(at: 17, digits: 2),
            let days = Self.days(year: year, month: month, day: day)
        else { return nil }
        var milliseconds = 0
        if text.count > 20 {
            let digits = text.count - 20
            guard let fraction = number(at: 20, digits: digits) else { return nil }
            milliseconds = digits == 1 ? fraction * 100 : digits == 2 ? fraction * 10 : fraction
        }
        let seconds = days * 86_400 + hour * 3_600 + minute * 60 + second
        return CivilTime(seconds: UInt32(truncatingIfNeeded: seconds), milliseconds: UInt32(milliseconds))
    }

    /// Days since 1970-01-01; nil for a date that does not exist. The years 1400 to 9999 are the
    /// range of boost's calendar. (Howard Hinnant, "chrono-compatible low-level date algorithms",
    /// days_from_civil.)
    private static func days(year: Int, month: Int, day: Int) -> Int? {
        guard year >= 1400, (1...12).contains(month), day >= 1, day <= daysInMonth(month, of: year) else {
            return nil
        }
        // When years start in March, the leap day is their last day.
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    private static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Appends `YYYY-MM-DDThh:mm:ss`, for the years 1970 to 2106.
    static func append(seconds: UInt32, to bytes: inout [UInt8]) {
        // civil_from_days by Howard Hinnant, for days after 1970.
        let days = Int(seconds / 86_400) + 719_468
        let era = days / 146_097
        let dayOfEra = days - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        let time = Int(seconds % 86_400)

        append(year, digits: 4, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(month, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "-"))
        append(day, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: "T"))
        append(time / 3_600, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(time / 60 % 60, digits: 2, to: &bytes)
        bytes.append(UInt8(ascii: ":"))
        append(time % 60, digits: 2, to: &bytes)
    }

    /// Appends a point and a fraction of three digits.
    static func append(milliseconds: UInt32, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "."))
        append(Int(milliseconds), digits: 3, to: &bytes)
    }

    private static func append(_ value: Int, digits: Int, to bytes: inout [UInt8]) {
        var divisor = digits == 4 ? 1000 : digits == 3 ? 100 : 10
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: value / divisor % 10))
            divisor /= 10
        }
    }
}
