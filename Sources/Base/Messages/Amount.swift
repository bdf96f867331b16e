/// Numbers with digit groups, and lengths of time, for people: `1,000,000`.
package enum Amount {
    /// `1 change`, `2,000 changes`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(text(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// `1 byte`, `4,000 bytes`.
    package static func bytes(_ number: Int128) -> String {
        "\(grouped(String(number)[...])) byte\(number == 1 ? "" : "s")"
    }

    package static func text(_ count: Int) -> String {
        (count < 0 ? "-" : "") + grouped(String(count.magnitude)[...])
    }

    /// `2 days 3 hours`, `5 minutes`.
    package static func duration(_ seconds: Int64) -> String {
        let parts = [
            (seconds / 86400, "day"), (seconds / 3600 % 24, "hour"), (seconds / 60 % 60, "minute"),
            (seconds % 60, "second"),
        ]
        let shown = parts.drop { $0.0 == 0 }.prefix(2).filter { $0.0 != 0 }
        guard !shown.isEmpty else { return "0 seconds" }
        return shown.map { "\($0.0) \($0.1)\($0.0 == 1 ? "" : "s")" }.joined(separator: " ")
    }

    package static func grouped(_ digits: Substring) -> String {
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
