import ABICodec
import Codecs
import JSON

/// Decoding bytes as a type of the vectors' ABI. An input is the type's name, a line feed, and the
/// bytes.
public enum ABIDecodeLaw: Law {
    public static let name = "ABIDecode"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let newest = [
            ("bitset", "0305"), ("bitset[]", "02090001" + "0100"), ("uint16[2]", "01000200"),
            ("pair[1]?", "01016b05000000"),
        ]
        let published = vectors.tests("abi").compactMap { test in
            test["type"]?.string.flatMap { type in test["hex"]?.string.map { (type, $0) } }
        }
        return try (published + newest).map { type, hex in
            try Array(type.utf8) + [UInt8(ascii: "\n")] + Hex.decode(hex)
        }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let abi = try must("the vectors' ABI loads") { try Vectors.abi.get() }
        guard let (name, bytes) = halves(input, at: UInt8(ascii: "\n")),
            let type = try? abi.type(named: text(name))
        else { return }
        try ABIValueLaws.checkDecoding(bytes, as: type)
    }
}
