import KeyVault

/// A row of the payment history has one form. The input is the name, a zero byte and the value.
public enum HistoryRowLaw: Law {
    public static let name = "HistoryRow"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let key = Array("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV".utf8)
        let place: [UInt8] = [0x0a] + [UInt8](repeating: 1, count: 15) + [0, 0xf1, 0x53, 0x65]
        let paid: [UInt8] = [1] + place
        let signature: [UInt8] = place + [UInt8](repeating: 0xbb, count: 32) + [1, 2, 3, 4, 0]
        let signed: [UInt8] = [1, 1, UInt8(key.count)] + key + signature
        let rows: [(name: String, value: [UInt8])] = [
            ("paid:0a:00000000", paid), ("paid:0a:00000007", paid + place), ("paid:0A:00000000", paid),
            ("paid:0b:00000000", paid), ("paid:0a:0", paid), ("paid:0a:00000000", [2] + place),
            ("paid:0a:00000000", paid + [0]), ("paid:0a:00000000", [1]), ("made:0a:00000000", signed),
            ("made:0a:00000001", signed + signature), ("made:0a:00000000", [1, 0] + signature),
            ("made:0a:00000000", Array(signed.dropLast()) + [1]),
            ("made:0a:00000000", Array(signed.dropLast())),
        ]
        return rows.map { row in Array(row.name.utf8) + [0] + row.value }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let end = input.firstIndex(of: 0) ?? input.endIndex
        guard let name = String(validating: input[..<end], as: UTF8.self) else { return }
        let value = Array(input[end...].dropFirst())
        guard let read = try? HistoryRow.read(name: name, value: value) else { return }
        try law(
            read.rowName.utf8.elementsEqual(name.utf8), "the name is written as it was read: \(read.rowName)")
        try law(read.value == value, "the value is written as it was read")
        try law(name.utf8.allSatisfy { (0x2e...0x7a).contains($0) }, "a name is plain")
    }
}
