import Codecs
import JSON

/// A type of an ABI, ready to encode and decode any number of values.
package struct ABIType: Sendable {
    /// As it was asked for.
    package let name: String
    let layout: Layout
    let node: Int

    /// Writes the value that comes next in `json` as bytes.
    ///
    /// Fields may stand in any order; in the ABI's order nothing is read twice. An optional field
    /// may be left out, and so may binary extensions at the end.
    /// - Throws: What is wrong, and where in the value; `writer` then holds a part of the value's
    ///   bytes.
    package func encode(_ json: inout JSONReader, into writer: inout ByteWriter) throws(ABIError) {
        let start = writer.count
        let limit = Layout.outputLimit(forInput: json.remaining)
        var encoder = Encoder(layout, limit: limit, after: start)
        try encoder.encode(node, isLast: true, from: &json, into: &writer)
        guard writer.count - start <= limit else { throw ABIError(.outputTooLong(limit: limit)) }
    }

    /// The bytes of the value whose text is `json`, all of it.
    package func encode(json: [UInt8], limits: JSONLimits = JSONLimits()) throws(ABIError) -> [UInt8] {
        var writer = ByteWriter()
        try encode(json: json, limits: limits, into: &writer)
        return writer.bytes
    }

    /// Writes the bytes of the value whose text is `json`, all of it: for one value after another,
    /// whose writer is used again.
    package func encode(json: [UInt8], limits: JSONLimits = JSONLimits(), into writer: inout ByteWriter)
        throws(ABIError)
    {
        try JSONReader.read(json, limits: limits, orThrow: { ABIError(.json($0)) }) { reader throws(ABIError) in
            try encode(&reader, into: &writer)
            try attemptJSON { () throws(JSONError) in try reader.expectEnd() }
        }
    }

    /// Writes the value that comes next in `reader` as JSON, in the ABI's field order.
    ///
    /// The text encodes to the same bytes again: bytes of which that would not be true are refused.
    /// - Throws: What is wrong, and where in the value; `writer` then holds a part of the value's
    ///   text.
    /// - Returns: How many all-zero public keys are in it. Chains accept these values, but nobody
    ///   has a private key for them.
    @discardableResult
    package func decode(_ reader: inout ByteReader, into writer: inout JSONWriter) throws(ABIError) -> Int {
        let start = writer.count
        let first = reader.offset
        let limit = Layout.outputLimit(forInput: reader.remaining)
        var decoder = Decoder(layout, limit: limit, after: start)
        try decoder.decode(node, isLast: true, from: &reader, into: &writer)
        guard writer.count - start <= limit else { throw ABIError(.outputTooLong(limit: limit)) }
        // More bytes than that would not be written again.
        let bytes = Layout.outputLimit(forInput: writer.count - start)
        guard reader.offset - first <= bytes else { throw ABIError(.outputTooLong(limit: bytes)) }
        return decoder.nullKeyCount
    }

    /// The JSON text of the value whose bytes are `bytes`, all of them.
    package func decode(_ bytes: [UInt8], style: JSONWriter.Style = .compact) throws(ABIError) -> [UInt8] {
        var writer = JSONWriter(style: style)
        try decode(bytes, into: &writer)
        return writer.bytes
    }

    /// Writes the JSON text of the value whose bytes are `bytes`, all of them.
    /// - Returns: How many all-zero public keys are in it.
    @discardableResult
    package func decode(_ bytes: [UInt8], into writer: inout JSONWriter) throws(ABIError) -> Int {
        try ByteReader.read(bytes) { reader throws(ABIError) in
            let nullKeyCount = try decode(&reader, into: &writer)
            try attemptBytes { () throws(CodecError) in try reader.expectEnd() }
            return nullKeyCount
        }
    }
}

/// Runs a step of the JSON cursor, its error told as one of this module.
@inline(__always)
func attemptJSON<Result>(_ step: () throws(JSONError) -> Result) throws(ABIError) -> Result {
    do { return try step() } catch { throw ABIError(.json(error)) }
}

/// Runs a step of the byte cursor, its error told as one of this module.
@inline(__always)
func attemptBytes<Result>(_ step: () throws(CodecError) -> Result) throws(ABIError) -> Result {
    do { return try step() } catch { throw ABIError(.bytes(error)) }
}
