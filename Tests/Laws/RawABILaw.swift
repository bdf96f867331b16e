import ABICodec
import Codecs
import JSON

/// The raw form of an ABI from anyone.
package enum RawABILaw: Law {
    package static let name = "RawABI"

    package static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let abis = (vectors["transactions", "abis"].object ?? []).map(\.value) + [vectors["abi", "abi"]]
        let raws = try abis.map { try ABIDefinition($0).raw() }
        let answer = try ABIDefinition.read(Vectors.file("Vectors/examples/fio.token.get_raw_abi.json")).definition
            .raw()
        // Whole, and cut where a list ends: what is short is changed sooner.
        let empty = try ABIDefinition(.object([JSONMember("version", .string("eosio::abi/1.3"))])).raw()
        // A clause of bytes that are not UTF-8, in an ABI without anything else.
        let odd = Array(empty.prefix(19)) + [1, 1, 0xff, 2, 0xc3, 0x28, 0, 0, 0, 0]
        return raws + [odd, answer, answer.dropLast(), empty, empty + [0], empty.dropLast(2)]
            + raws.map { Array($0.prefix(400)) }
    }

    package static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let definition = try? ABIDefinition(raw: input) else { return }
        let raw = try must("what was read is written") { try definition.raw() }
        try law(raw == input, "what was read is written to the same bytes: \(Hex.encode(raw))")
        let text = definition.json.text(.pretty)
        let printed = try must("what is printed is JSON") { try JSONValue.parse(Array(text.utf8)) }
        let again = try must("what is printed is read: \(text)") { try ABIDefinition(printed) }
        // Text that is not UTF-8 is printed as other text, and is a different raw form.
        let isPrintable = definition.unprintable.isEmpty
        try law((again == definition) == isPrintable, "what is printed is read as the same: \(text)")
        try law(again.unprintable.isEmpty, "what is printed is UTF-8")
        try law(again.json.text() == definition.json.text(), "what is printed is printed again: \(text)")
        let forms = [input, Array(Hex.encode(input).utf8), Array(Base64.encode(input).utf8)]
        for contents in forms + (isPrintable ? [Array(text.utf8)] : []) {
            let read = try must("each form is read") { try ABIDefinition.read(contents) }
            try law(read.definition == definition, "each form has the same definitions")
            let bytes = try must("each form has a raw form") { try read.rawForm() }
            try law(bytes == input, "each form has the same raw form")
        }
        // It may make no sense, and is refused for that; it may not make more than the JSON of it
        // does.
        _ = try? ABI(definition)
    }

    /// What a definition packs to is read as it.
    static func checkPacking(_ definition: ABIDefinition) throws(LawBroken) {
        let raw: [UInt8]
        do throws(ABIError) { raw = try definition.raw() } catch { return _ = error.pathText }
        try check(raw)
        let again = try must("what is packed is read") { try ABIDefinition(raw: raw) }
        // The hex of an extension is read in either case.
        try law(again.json.text().lowercased() == definition.json.text().lowercased(), "what is packed says the same")
    }
}
