import ABICodec
import JSON
import Transactions

/// Past transactions with their times, for a simulation: a JSON array of objects with the members
/// `time`, `transaction` and, optionally, `chain`.
package struct TransactionLog: Sendable {
    package struct Entry: Sendable {
        /// Where its object begins.
        package let place: TextPlace
        /// In seconds since 1970.
        package let time: UInt32
        package let chain: ChainID
        /// JSON or packed hex, as `SignedTransaction` reads it.
        package let transaction: [UInt8]
    }

    /// In the order of the text.
    package let entries: [Entry]

    /// In bytes.
    package static let maximumSize = 16 << 20
    package static let maximumCount = 100_000

    /// - Parameter chain: That of transactions without the member `chain`.
    package init(_ text: [UInt8], chain: ChainID?) throws(TransactionLogError) {
        let (kind, elements): (JSONKind, [LogElement])
        do throws(JSONError) {
            (kind, elements) = try JSONReader.read(text, limits: JSONLimits(size: Self.maximumSize)) {
                reader throws(JSONError) in try LogElement.all(from: &reader, in: text, atMost: Self.maximumCount)
            }
        } catch {
            throw TransactionLogError(
                reason: .json(error.reason), place: TextPlace(line: error.line, column: error.column))
        }
        func failure(_ reason: TransactionLogError.Reason, at offset: Int) -> TransactionLogError {
            TransactionLogError(reason: reason, place: TextPlace.all(of: [offset], in: text)[0])
        }
        guard kind == .array else { throw failure(.expected(.array, found: kind), at: 0) }
        guard elements.count <= Self.maximumCount else {
            throw failure(.tooMany(limit: Self.maximumCount), at: elements[Self.maximumCount].offset)
        }
        let places = TextPlace.all(of: elements.map(\.offset), in: text)
        entries = try zip(elements, places).map { element, place throws(TransactionLogError) in
            do throws(LogElement.Fault) {
                return Entry(
                    place: place, time: try element.time(), chain: try element.chain(orElse: chain),
                    transaction: try element.transaction())
            } catch { throw failure(error.reason, at: error.offset) }
        }
    }
}

/// Why a text is not a list of past transactions, and where.
package struct TransactionLogError: Error, Equatable {
    package enum Reason: Equatable, Sendable {
        case json(JSONError.Reason)
        case tooMany(limit: Int)
        case expected(JSONKind, found: JSONKind)
        case missingMember(String)
        case unknownMember(String, known: [String])
        /// Neither a time in UTC, such as `2026-12-01T09:30:00Z`, nor seconds since 1970.
        case time
        case chain(ChainError)
        /// The transaction is neither an object nor a string.
        case transaction
    }

    package let reason: Reason
    package let place: TextPlace
}

/// An element of the array, before its values are read.
private struct LogElement {
    struct Fault: Error {
        let reason: TransactionLogError.Reason
        let offset: Int
    }

    private struct Value {
        let offset: Int
        let kind: JSONKind
        /// The content of a string; the text of another value.
        let text: [UInt8]

        init(from reader: inout JSONReader, in text: [UInt8]) throws(JSONError) {
            kind = try reader.peek()
            offset = text.count - reader.remaining
            if kind == .string {
                let token = try reader.readString()
                self.text = reader.withBytes(of: token) { bytes in bytes.indices.map { bytes[$0] } }
            } else {
                try reader.skipValue()
                self.text = Array(text[offset..<text.count - reader.remaining])
            }
        }
    }

    private static let names = ["time", "chain", "transaction"]

    let offset: Int
    private let kind: JSONKind
    private var values: [String: Value] = [:]
    private var unknown: (name: String, offset: Int)?

    /// - Returns: the kind of the whole text, and its elements: at most one more than the limit.
    static func all(
        from reader: inout JSONReader, in text: [UInt8], atMost limit: Int
    ) throws(JSONError) -> (JSONKind, [LogElement]) {
        let kind = try reader.peek()
        guard kind == .array else { return (kind, []) }
        var elements: [LogElement] = []
        try reader.beginArray()
        while try reader.nextElement() {
            elements.append(try LogElement(from: &reader, in: text))
            guard elements.count <= limit else { return (kind, elements) }
        }
        try reader.expectEnd()
        return (kind, elements)
    }

    private init(from reader: inout JSONReader, in text: [UInt8]) throws(JSONError) {
        kind = try reader.peek()
        offset = text.count - reader.remaining
        guard kind == .object else {
            try reader.skipValue()
            return
        }
        try reader.beginObject()
        while let token = try reader.nextKey() {
            let name = reader.text(of: token)
            guard Self.names.contains(name) else {
                _ = try reader.peek()
                unknown = unknown ?? (name, text.count - reader.remaining)
                try reader.skipValue()
                continue
            }
            guard values.updateValue(try Value(from: &reader, in: text), forKey: name) == nil else {
                throw reader.duplicateKey(token)
            }
        }
    }

    // MARK: values

    func time() throws(Fault) -> UInt32 {
        let value = try required("time")
        var text = String(decoding: value.text, as: UTF8.self)
        if value.kind == .number, let seconds = UInt32(text) { return seconds }
        if value.kind == .string {
            if text.hasSuffix("Z") { text.removeLast() }
            // A year before 1970 or after 2106 would be another time.
            if let time = try? TimePointSec(roundingDown: text), text.hasPrefix(time.text) { return time.seconds }
        }
        throw Fault(reason: .time, offset: value.offset)
    }

    func chain(orElse chain: ChainID?) throws(Fault) -> ChainID {
        if let chain, values["chain"] == nil { return chain }
        let value = try required("chain")
        guard value.kind == .string else {
            throw Fault(reason: .expected(.string, found: value.kind), offset: value.offset)
        }
        do throws(ChainError) { return try ChainID(String(decoding: value.text, as: UTF8.self)) } catch {
            throw Fault(reason: .chain(error), offset: value.offset)
        }
    }

    func transaction() throws(Fault) -> [UInt8] {
        let value = try required("transaction")
        guard value.kind == .object || value.kind == .string else {
            throw Fault(reason: .transaction, offset: value.offset)
        }
        return value.text
    }

    private func required(_ name: String) throws(Fault) -> Value {
        guard kind == .object else { throw Fault(reason: .expected(.object, found: kind), offset: offset) }
        if let unknown { throw Fault(reason: .unknownMember(unknown.name, known: Self.names), offset: unknown.offset) }
        guard let value = values[name] else { throw Fault(reason: .missingMember(name), offset: offset) }
        return value
    }
}
