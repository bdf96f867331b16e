import Codecs
import JSON

/// A type of an ABI, ready to encode and decode any number of values.
package struct ABIType: Sendable {
    /// The name that was requested.
    package let name: String
    let layout: Layout
    let node: Int

    /// Why a review must not show an action's data as a value of this type; nil if it may. nodeos
    /// accepts such types: the type is not a struct, or a struct or variant in it has a field that
    /// takes no bytes, or a name that is not printable ASCII.
    package var actionFlaw: ABIError? {
        guard case .structure = layout.nodes[node] else { return ABIError(.actionIsNotStruct(type: name)) }
        return layout.actionFlaw(of: node)
    }

    /// Writes the next value of `json` as bytes.
    ///
    /// Fields may be in any order; when they are in the ABI's order, nothing is read twice. An
    /// optional field may be omitted, and so may binary extensions at the end.
    /// - Throws: The error and its place in the value. `writer` then contains a part of the value's
    ///   bytes.
    package func encode(_ json: inout JSONReader, into writer: inout ByteWriter) throws(ABIError) {
        let start = writer.count
        let limit = Layout.outputLimit(forInput: json.remaining)
        var encoder = Encoder(layout, limit: limit, after: start)
        try encoder.encode(node, isLast: true, from: &json, into: &writer)
        guard writer.count - start <= limit else { throw ABIError(.outputTooLong(limit: limit)) }
    }

    /// The bytes of a value. `json` must contain the value and nothing else.
    package func encode(json: [UInt8], limits: JSONLimits = JSONLimits()) throws(ABIError) -> [UInt8] {
        var writer = ByteWriter()
        try encode(json: json, limits: limits, into: &writer)
        return writer.bytes
    }

    /// Writes the bytes of a value to an existing writer, which can be reused for many values.
    /// `json` must contain the value and nothing else.
    package func encode(json: [UInt8], limits: JSONLimits = JSONLimits(), into writer: inout ByteWriter)
        throws(ABIError)
    {
        try JSONReader.read(json, limits: limits, orThrow: { ABIError(.json($0)) }) {
            reader throws(ABIError) in
            try encode(&reader, into: &writer)
            try converting(ABIError.json, reader.expectEnd())
        }
    }

    /// Writes the next value of `reader` as JSON, in the ABI's field order.
    ///
    /// The text encodes to the same bytes again. Bytes for which this does not hold are refused.
    /// - Throws: The error and its place in the value. `writer` then contains a part of the value's
    ///   text.
    /// - Returns: The number of all-zero public keys in the value. Chains accept these keys, but no
    ///   one has a private key for them.
    @discardableResult
    package func decode(_ reader: inout ByteReader, into writer: inout JSONWriter) throws(ABIError) -> Int {
        try decode(&reader, to: &writer)
    }

    /// Decodes the next value to text or to a value. The length of the text is limited in both
    /// cases.
    func decode<Output: DecoderOutput>(
        _ reader: inout ByteReader, to output: inout Output
    ) throws(ABIError) -> Int {
        let start = output.count
        let first = reader.offset
        let limit = Layout.outputLimit(forInput: reader.remaining)
        var decoder = Decoder<Output>(layout, limit: limit, after: start)
        try decoder.decode(node, isLast: true, from: &reader, into: &output)
        guard output.count - start <= limit else { throw ABIError(.outputTooLong(limit: limit)) }
        // The encoder has the same limit, so it would refuse to write more bytes than this again.
        let bytes = Layout.outputLimit(forInput: output.count - start)
        guard reader.offset - first <= bytes else { throw ABIError(.outputTooLong(limit: bytes)) }
        return decoder.nullKeyCount
    }

    /// The JSON text of a value. `bytes` must contain the value and nothing else.
    package func decode(_ bytes: [UInt8], style: JSONWriter.Style = .compact) throws(ABIError) -> [UInt8] {
        var writer = JSONWriter(style: style)
        try decode(bytes, into: &writer)
        return writer.bytes
    }

    /// Writes the JSON text of a value. `bytes` must contain the value and nothing else.
    /// - Returns: The number of all-zero public keys in the value.
    @discardableResult
    package func decode(_ bytes: [UInt8], into writer: inout JSONWriter) throws(ABIError) -> Int {
        try ByteReader.read(bytes) { reader throws(ABIError) in
            let nullKeyCount = try decode(&reader, into: &writer)
            try converting(ABIError.bytes, reader.expectEnd())
            return nullKeyCount
        }
    }
}
