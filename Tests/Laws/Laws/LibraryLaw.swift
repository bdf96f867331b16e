import Antelope

/// The public interface of Antelope: each value that it reads is read again from its own text, and
/// each refusal has a code and a message.
public enum LibraryLaw: Law {
    public static let name = "Library"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let texts =
            vectors.texts("public-keys", "text") + vectors.texts("signing-requests", "uri") + [
                "alice", "1.0000 EOS", "4,EOS", "jungle4", "eosio::abi/1.2",
            ]
        let files = try ["transfer.json", "transfer.packed.json", "transfer.signed.json"]
            .map { try Vectors.file("Vectors/examples/" + $0) }
        return texts.map { Array($0.utf8) } + files
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let string = text(input)
        try rereads(string) { try Name($0) }
        try rereads(string) { try Asset($0) }
        try rereads(string) { try Symbol($0) }
        try rereads(string) { try ChainID($0) }
        try rereads(string) { try PublicKey($0) }
        try rereads(string) { try Signature($0) }
        try rereads(string) { try SigningRequest($0) }
        var abis = ContractABIs()
        _ = try value(of: { try abis.add(input, for: Name(rawValue: 1 << 60)) })
        let read = [
            try value(of: { try Transaction(reading: input, abis: abis) }),
            try value(of: { try Transaction(packed: input) }),
        ]
        for transaction in read.compactMap(\.self) {
            let again = try must("its packed bytes are read") { try Transaction(packed: transaction.packed) }
            try law(again.id == transaction.id, "its packed bytes have its id")
            let packed = try must("its packed JSON is read") {
                try Transaction(reading: Array(transaction.packedJSON.utf8))
            }
            try law(
                packed.id == transaction.id && packed.signatures == transaction.signatures,
                "its packed JSON is the same transaction")
        }
    }

    private static func rereads<Value: CustomStringConvertible>(
        _ text: String, _ read: (String) throws -> Value
    ) throws(LawBroken) {
        guard let value = try value(of: { try read(text) }) else { return }
        let again = try must("its text is read") { try read(value.description) }
        try law(again.description == value.description, "its text is the same")
    }

    /// The value; nil if it was refused, with words.
    private static func value<Value>(of body: () throws -> Value) throws(LawBroken) -> Value? {
        do { return try body() } catch {
            guard let error = error as? EOSError else {
                throw LawBroken(description: "another error: \(error)")
            }
            try law(!error.code.rawValue.isEmpty && !error.message.isEmpty, "an error has words")
            return nil
        }
    }
}
