/// Hours of the week in UTC, for example `mon-fri 08:00-18:00`.
package struct WeekHours: Hashable, Sendable {
    /// The minutes of the week that are included. The week starts on Monday.
    private var minutes = [Bool](repeating: false, count: 7 * 1_440)
    /// The texts, in the order of the file.
    private(set) var texts: [String] = []

    private static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Adds `DAY HH:MM-HH:MM` or `DAY-DAY HH:MM-HH:MM`. The end is excluded and may be 24:00.
    /// - Returns: Why the text is refused.
    mutating func add(_ text: String) -> PolicyValueFault? {
        let bytes = Array(text.utf8)
        let parts = bytes.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 2, let days = Self.days(Array(parts[0])), let times = Self.times(Array(parts[1]))
        else {
            return .hours
        }
        guard times.start < times.end else { return .hoursOrder }
        for day in days { for minute in times.start..<times.end { minutes[day * 1_440 + minute] = true } }
        texts.append(text)
        return nil
    }

    private static func days(_ text: [UInt8]) -> [Int]? {
        let names = text.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        let numbers = names.compactMap { days.firstIndex(of: String(decoding: $0, as: UTF8.self)) }
        guard numbers.count == names.count, numbers.count <= 2, let first = numbers.first,
            let last = numbers.last
        else {
            return nil
        }
        // `sat-mon` includes Sunday.
        return (0...(last - first + 7) % 7).map { (first + $0) % 7 }
    }

    private static func times(_ text: [UInt8]) -> (start: Int, end: Int)? {
        guard text.count == 11, text[5] == UInt8(ascii: "-"), let start = minute(text[0..<5]),
            let end = minute(text[6..<11])
        else { return nil }
        return (start, end)
    }

    /// `HH:MM`, up to 24:00.
    private static func minute(_ text: ArraySlice<UInt8>) -> Int? {
        let digits = text.map { Int($0) - Int(UInt8(ascii: "0")) }
        guard digits[2] == 10, digits.enumerated().allSatisfy({ $0 == 2 || (0...9).contains($1) }) else {
            return nil
        }
        let (hour, minute) = (10 * digits[0] + digits[1], 10 * digits[3] + digits[4])
        return minute < 60 && 60 * hour + minute <= 1_440 ? 60 * hour + minute : nil
    }

    /// - Parameter seconds: Since 1970-01-01T00:00:00 UTC, a Thursday.
    func contains(_ seconds: UInt32) -> Bool { minutes[Self.minute(of: seconds)] }

    /// The minute of the week.
    private static func minute(of seconds: UInt32) -> Int { (Int(seconds / 60) + 3 * 1_440) % (7 * 1_440) }

    /// When the next included minute starts.
    func next(after seconds: UInt32) -> UInt32? {
        let start = Self.minute(of: seconds)
        guard let wait = (1...7 * 1_440).first(where: { minutes[(start + $0) % (7 * 1_440)] }) else {
            return nil
        }
        return UInt32(exactly: (Int(seconds / 60) + wait) * 60)
    }

    /// True if each included minute is also in `other`.
    func isSubset(of other: WeekHours) -> Bool { zip(minutes, other.minutes).allSatisfy { !$0 || $1 } }
}
