import JSON

/// Reads the values of a tree by the rules, and with the errors, by which the codec reads text.
extension JSONValue {
    package func expectText() throws(ABIError) -> String {
        guard let text = string else { throw ABIError(.expected(.text, found: kind)) }
        return text
    }

    /// A number, or the text of one.
    /// - Parameter type: The name of the type in the errors.
    package func expectInteger<Value: FixedWidthInteger>(_ type: StaticString) throws(ABIError) -> Value {
        guard let text = number ?? string else { throw ABIError(.expected(.integer, found: kind)) }
        return try IntegerText.parse(Array(text.utf8).span, type: type)
    }

    package func expectList<Element>(_ read: (JSONValue) throws(ABIError) -> Element) throws(ABIError)
        -> [Element]
    {
        guard let elements = array else { throw ABIError(.expected(.array, found: kind)) }
        return try elements.enumerated().map { index, element throws(ABIError) in
            do throws(ABIError) { return try read(element) } catch { throw error.inside(.element(index)) }
        }
    }
}
