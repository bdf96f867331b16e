import ABICodec
import Glibc
import JSON

/// Encoding JSON text as a type of the vectors' ABI. An input is the type's name, a line feed, and
/// the text.
public enum ABIEncodeLaw: Law {
    public static let name = "ABIEncode"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let newest = [
            ("bitset", #""101""#), ("bitset[]", #"["100000000","0"]"#), ("uint16[2]", "[1,2]"),
            ("empty[3]", "[{},{},{}]"),
        ]
        let published = vectors.tests("abi").compactMap { test in
            test["type"]?.string.flatMap { type in test["json"]?.string.map { (type, $0) } }
        }
        return (published + newest).map { type, json in Array("\(type)\n\(json)".utf8) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let abi = try must("the vectors' ABI loads") { try Vectors.abi.get() }
        guard let (name, json) = halves(input, at: UInt8(ascii: "\n")),
            let type = try? abi.type(named: text(name))
        else { return }
        try ABIValueLaws.checkEncoding(json, as: type)
        try checkValue(json, as: type)
    }

    // MARK: - the value itself

    private static let integers: Set = [
        "int8", "int16", "int32", "int64", "int128", "uint8", "uint16", "uint32", "uint64", "uint128",
        "varint32",
        "varuint32",
    ]
    /// Types whose values have exactly one text.
    private static let texts: Set = ["string", "name", "symbol_code", "signature"]

    /// Checks the value itself, for types that are printed as they were read, and for float64 by
    /// another reader of numbers.
    private static func checkValue(_ json: [UInt8], as type: ABIType) throws(LawBroken) {
        guard let bytes = try? type.encode(json: json), let value = try? JSONValue.parse(json) else { return }
        if type.name == "float64", let number = value.number {
            let bits = bytes.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            return try law(
                unsafe strtod(number, nil).bitPattern == bits, "a float64 is the nearest one to its text")
        }
        guard let text = try? type.decode(bytes), let printed = try? JSONValue.parse(text) else { return }
        if texts.contains(type.name) {
            try law(JSONLaw.same(value, printed), "a text is printed as it was read")
        } else if integers.contains(type.name), let number = value.number {
            try law(
                number == "-0" || printed.number ?? printed.string == number,
                "an integer is printed as it was read")
        }
    }
}
