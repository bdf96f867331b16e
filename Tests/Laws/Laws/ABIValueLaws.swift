import ABICodec
import Codecs
import JSON

/// The laws of `ABICodec.docc`, for one type and one input.
enum ABIValueLaws {
    /// The maximum output for an input of `count` bytes.
    private static func limit(_ count: Int) -> Int { min(16 << 20, 16 << 10 + 256 * count) }

    /// Bytes that decode have a text that encodes to the same bytes.
    static func checkDecoding(_ bytes: [UInt8], as type: ABIType) throws(LawBroken) {
        let text: [UInt8]
        do throws(ABIError) { text = try type.decode(bytes) } catch {
            _ = error.pathText
            return try checkRefusal(of: bytes, as: type, error)
        }
        try checkValue(of: bytes, as: type, text: text)
        try law(text.count <= limit(bytes.count), "\(text.count) bytes of text for \(bytes.count)")
        try checkText(text, of: bytes, as: type)
        let pretty: [UInt8]
        do throws(ABIError) { pretty = try type.decode(bytes, style: .pretty) } catch {
            return try law(isTooLong(error), "indented text is refused for its length only: \(error)")
        }
        try checkText(pretty, of: bytes, as: type)
    }

    /// Bytes that have a text have a value. It prints as the same text and encodes to the same
    /// bytes.
    private static func checkValue(of bytes: [UInt8], as type: ABIType, text: [UInt8]) throws(LawBroken) {
        func value(budget: Int) throws(LawBroken) -> (TypedValue?, cost: Int) {
            var decoder = ValueDecoder(budget: budget)
            let value = try must("bytes with a text have a value") { try decoder.decode(bytes, as: type) }
            return (value, budget - decoder.budget)
        }
        let (decoded, cost) = try value(budget: .max)
        guard let decoded else { throw LawBroken(description: "a value is within an unlimited budget") }
        try law(Array(decoded.json.text().utf8) == text, "a value prints as the text: \(Laws.text(text))")
        try law(cost >= text.count + ValueDecoder.valueCost, "a value costs its text and a line")
        try law(type.encodes(decoded, to: bytes), "a value encodes to the same bytes: \(Laws.text(text))")
        try law(!type.encodes(decoded, to: bytes + [0]), "a value encodes to no other bytes")
        let (poor, rich) = (try value(budget: cost - 1), try value(budget: cost))
        try law(poor == (nil, 0), "a value over the budget is refused")
        try law(rich == (decoded, cost), "a value within the budget is not refused")
    }

    /// Bytes without a text have no value, for the same reason.
    private static func checkRefusal(
        of bytes: [UInt8], as type: ABIType, _ refusal: ABIError
    ) throws(LawBroken) {
        for budget in [0, Int.max] {
            var decoder = ValueDecoder(budget: budget)
            do throws(ABIError) { _ = try decoder.decode(bytes, as: type) } catch {
                try law(error == refusal, "a value is refused as its text: \(refusal), not \(error)")
                continue
            }
            throw LawBroken(description: "bytes without a text have no value")
        }
    }

    private static func checkText(_ text: [UInt8], of bytes: [UInt8], as type: ABIType) throws(LawBroken) {
        let again = try must("text encodes: \(Laws.text(text))") { try type.encode(json: text) }
        try law(again == bytes, "text encodes to the same bytes: \(Laws.text(text))")
    }

    /// A text that encodes has bytes that decode, unless their text would be too long. Each
    /// spelling of the same value has the same bytes.
    static func checkEncoding(_ json: [UInt8], as type: ABIType) throws(LawBroken) {
        let bytes: [UInt8]
        do throws(ABIError) { bytes = try type.encode(json: json) } catch { return _ = error.pathText }
        try law(bytes.count <= limit(json.count), "\(bytes.count) bytes for \(json.count) of text")
        do throws(ABIError) { _ = try type.decode(bytes) } catch {
            try law(isTooLong(error), "encoded bytes decode: \(error)")
        }
        try checkDecoding(bytes, as: type)
        try checkSpellings(of: json, bytes: bytes, as: type)
    }

    private static func checkSpellings(of json: [UInt8], bytes: [UInt8], as type: ABIType) throws(LawBroken) {
        let tree = try must("text that encodes is JSON") { try JSONValue.parse(json) }
        for spelled in [tree, reversed(tree)] {
            let again: [UInt8]
            do throws(ABIError) { again = try type.encode(json: Array(spelled.text().utf8)) } catch {
                // The limit depends on the length of the text, and this text may be shorter.
                try law(isTooLong(error), "another spelling of the value encodes: \(error)")
                continue
            }
            try law(again == bytes, "another spelling of the value has the same bytes: \(spelled.text())")
        }
    }

    private static func isTooLong(_ error: ABIError) -> Bool {
        guard case .shape(.outputTooLong) = error.reason else { return false }
        return true
    }

    /// The same value with the fields of each struct in reverse order.
    private static func reversed(_ json: JSONValue) -> JSONValue {
        switch json {
        case .array(let elements): .array(elements.map(reversed))
        case .object(let members): .object(members.reversed().map { JSONMember($0.key, reversed($0.value)) })
        default: json
        }
    }
}

/// Splits an input of two parts at the first separator, which the first part can't contain.
func halves(_ input: [UInt8], at separator: UInt8) -> (first: [UInt8], second: [UInt8])? {
    guard let place = input.firstIndex(of: separator) else { return nil }
    return (Array(input[..<place]), Array(input[(place + 1)...]))
}
