/// Numbers with digit groups: `1,000,000`.
package enum Amount {
    /// `1 change`, `2,000 changes`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(text(number)) \(number == 1 ? noun : plural ?? noun + "s")"
    }

    /// `1 byte`, `4,000 bytes`.
    package static func bytes(_ number: Int128) -> String {
        "\(grouped(String(number)[...])) byte\(number == 1 ? "" : "s")"
    }

    package static func text(_ count: Int) -> String { (count < 0 ? "-" : "") + grouped(String(count.magnitude)[...]) }

    package static func grouped(_ digits: Substring) -> String {
        var result = ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { result.append(",") }
            result.append(digit)
        }
        return result
    }
}
