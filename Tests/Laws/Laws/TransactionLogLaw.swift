import Policy

/// A list of past transactions is refused at a place in its text, or each of its transactions is a
/// part of it.
public enum TransactionLogLaw: Law {
    public static let name = "TransactionLog"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        samples.map { Array($0.utf8) }
    }

    static let samples = [
        "[]", "[1]", #"[{}]"#, #"[{"time":0,"transaction":"00","chain":"wax"}]"#,
        #"[{"time":"2026-12-01T09:30:00Z"}]"#,
        #"[{"time":"2026-12-01T09:30:00Z","transaction":{},"chain":"eos"},{"time":1,"transaction":"\u0030"}]"#,
        #"[{"time":"1970-01-01T00:00:00.5","chain":"x","transaction":""}]"#, #"[{"time":1,"x":{"time":2}}]"#,
        #"[{"time":1,"time":1}]"#, #"[{"time":4294967296,"transaction":""}]"#,
        #"{"time":1,"transaction":""}"#,
        "[\n{\"time\":1,\"transaction\":[]}\n]",
    ]

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let lines = input.count { $0 == UInt8(ascii: "\n") } + 1
        let log: TransactionLog
        do throws(TransactionLogError) { log = try TransactionLog(input, chain: nil) } catch {
            try law((1...lines).contains(error.place.line), "a refusal is in a line of the text")
            try law(
                (1...input.count + 1).contains(error.place.column), "a refusal is in a column of the text")
            return
        }
        for entry in log.entries {
            try law((1...lines).contains(entry.place.line), "a transaction is in a line of the text")
            try law(entry.transaction.count < input.count, "a transaction is a part of the text")
        }
    }
}
