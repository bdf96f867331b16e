import JSON
import Scanning

/// Each line is the content of a code: parts of messages, damaged ones, anything. The same codes
/// give the same result when each is read twice.
public enum ScannedCodeLaw: Law {
    public static let name = "ScannedCode"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let messages = vectors.tests("ur").compactMap { row in
            row["parts"]?.array?.compactMap { $0["text"]?.string }.joined(separator: "\n")
        }
        return (messages + ["esr:abc\nany text", "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"])
            .filter { $0.utf8.count < 4000 }.map { Array($0.utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        var (once, twice) = (ScanCollector(), ScanCollector())
        for code in input.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
            once.add(Array(code))
            twice.add(Array(code))
            twice.add(Array(code))
        }
        let result = try? once.result()
        try law(result == (try? twice.result()), "a repetition changes nothing")
        try law(once.count * 2 == twice.count, "codes are counted")
        _ = try? result?.output()
    }
}
