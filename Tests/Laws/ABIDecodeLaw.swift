import ABICodec
import Codecs
import JSON

/// Bytes as a type of the vectors' ABI. An input is the type's name, a line feed, and the bytes.
public enum ABIDecodeLaw: Law {
    public static let name = "ABIDecode"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        try vectors.tests("abi").compactMap { test in
            guard let type = test["type"]?.string, let hex = test["hex"]?.string else { return nil }
            return try Array(type.utf8) + [UInt8(ascii: "\n")] + Hex.decode(hex)
        }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let abi = try must("the vectors' ABI loads") { try Vectors.abi.get() }
        guard let (name, bytes) = halves(input, at: UInt8(ascii: "\n")), let type = try? abi.type(named: text(name)) else { return }
        try ABIValueLaws.checkDecoding(bytes, as: type)
    }
}
