import KeyVault

/// A row of the payment history has one form. The input is the name, a zero byte and the value.
public enum HistoryRowLaw: Law {
    public static let name = "HistoryRow"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let hex = String(repeating: "0a", count: 32)
        let key = Array("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV".utf8)
        let head: [UInt8] = [1, 9, 0, 0, 0, 0, 0, 0, 0]
        let payment = head + [0, 0xf1, 0x53, 0x65, 0, 0, 0, 0]
        let signature = [UInt8(key.count)] + key + [UInt8](repeating: 0xbb, count: 32) + [1, 2, 3, 4]
        let signatures = head + [2] + signature + signature
        let paid = ["paid:\(hex):eosio.token:bob", "paid:\(hex):eosio.token:", "paid:\(hex):bob", "paid:0a:a:b"]
        let signed = ["signed:\(hex):\(hex)", "signed:\(hex)", "signed:\(hex):\(hex.uppercased())"]
        let rows = paid.map { Array($0.utf8) + [0] + payment } + signed.map { Array($0.utf8) + [0] + signatures }
        let broken = [head, payment + [0], [2] + payment.dropFirst(), Array(payment.dropLast())]
        return rows + broken.map { Array(paid[0].utf8) + [0] + $0 }
            + [head, head + [0], head + [17], Array(signatures.dropLast())].map { Array(signed[0].utf8) + [0] + $0 }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let end = input.firstIndex(of: 0) ?? input.endIndex
        guard let name = String(validating: input[..<end], as: UTF8.self) else { return }
        let value = Array(input[end...].dropFirst())
        guard let read = try? HistoryRow.read(name: name, value: value) else { return }
        try law(read.name.utf8.elementsEqual(name.utf8), "the name is written as it was read: \(read.name)")
        try law(read.value == value, "the value is written as it was read")
        try law(name.utf8.allSatisfy { (0x2e...0x7a).contains($0) }, "a name is plain")
    }
}
