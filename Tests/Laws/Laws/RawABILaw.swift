import ABICodec
import Codecs
import JSON

/// The raw form of an ABI from an unknown author.
public enum RawABILaw: Law {
    public static let name = "RawABI"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let abis = (vectors["transactions", "abis"].object ?? []).map(\.value) + [vectors["abi", "abi"]]
        let raws = try abis.map { try ABIDefinition($0).raw() }
        let answer = try ABIDefinition.read(Vectors.file("Vectors/examples/fio.token.get_raw_abi.json"))
            .definition
            .raw()
        // The whole form, and forms cut at the end of a list. A fuzzer reaches new states sooner
        // with short inputs.
        let empty = try ABIDefinition(.object([JSONMember("version", .string("eosio::abi/1.3"))])).raw()
        // A clause with bytes that are not UTF-8, in an otherwise empty ABI.
        let odd = Array(empty.prefix(19)) + [1, 1, 0xff, 2, 0xc3, 0x28, 0, 0, 0, 0]
        return raws + [odd, answer, answer.dropLast(), empty, empty + [0], empty.dropLast(2)]
            + raws.map { Array($0.prefix(400)) }
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let definition = try? ABIDefinition(raw: input) else { return }
        let raw = try must("a raw form that was read is written") { try definition.raw() }
        try law(raw == input, "a raw form is written to the bytes it was read from: \(Hex.encode(raw))")
        let text = definition.json.text(.pretty)
        let printed = try must("the printed text is JSON") { try JSONValue.parse(Array(text.utf8)) }
        let again = try must("the printed text is read: \(text)") { try ABIDefinition(printed) }
        // Text that is not UTF-8 is printed differently, so it packs to a different raw form.
        let isPrintable = definition.unprintable.isEmpty
        try law(
            (again == definition) == isPrintable, "the printed text is read as the same definition: \(text)")
        try law(again.unprintable.isEmpty, "the printed text is UTF-8")
        try law(again.json.text() == definition.json.text(), "the printed text is printed again: \(text)")
        let forms = [input, Array(Hex.encode(input).utf8), Array(Base64.encode(input).utf8)]
        for contents in forms + (isPrintable ? [Array(text.utf8)] : []) {
            let read = try must("each form is read") { try ABIDefinition.read(contents) }
            try law(read.definition == definition, "each form has the same definitions")
            let bytes = try must("each form has a raw form") { try read.rawForm() }
            try law(bytes == input, "each form has the same raw form")
        }
        // The definitions may be invalid; the result is then an error. Only traps and excessive
        // allocations are faults here.
        _ = try? ABI(definition)
    }

    /// A definition packs to bytes that are read as the same definition.
    static func checkPacking(_ definition: ABIDefinition) throws(LawBroken) {
        let raw: [UInt8]
        do throws(ABIError) { raw = try definition.raw() } catch { return _ = error.pathText }
        try check(raw)
        let again = try must("the packed form is read") { try ABIDefinition(raw: raw) }
        // The hex of an extension may be in either letter case.
        try law(
            again.json.text().lowercased() == definition.json.text().lowercased(),
            "the packed form has the same JSON")
    }
}
