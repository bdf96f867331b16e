import ABICodec
import JSON
import Transactions

/// A line of a batch: a transaction, or `{"id": …, "transaction": …}` with the caller's id.
package struct BatchLine: Sendable {
    /// The most bytes of the text of an id.
    package static let maximumIDSize = 256

    /// A text or an integer; nil if the line has none.
    package let id: JSONValue?
    /// The text of the transaction.
    package let transaction: [UInt8]

    /// A line whose text has other members is a transaction, which `SignedTransaction` reads and
    /// refuses.
    /// - Throws: `idTooLong`, `transaction` for an id or a transaction of another type.
    package init(_ text: [UInt8]) throws(SigningError) {
        guard let parts = Self.parts(of: text) else {
            (id, transaction) = (nil, text)
            return
        }
        id = try Self.id(parts.id)
        transaction = try Self.transaction(parts.transaction)
    }

    /// The texts of the members; nil for a text with another member, without one of them, or with
    /// an error of syntax.
    private static func parts(of text: [UInt8]) -> (id: [UInt8], transaction: [UInt8])? {
        guard hasOnlyItsMembers(text), let found = try? JSONReader.parts(of: text), found.parts.count == 2,
            let id = found.parts.first(where: { $0.key == "id" }),
            let transaction = found.parts.first(where: { $0.key == "transaction" })
        else { return nil }
        return (id.text, transaction.text)
    }

    /// Reads the whole text. Most lines have another first member, so they are not read here.
    private static func hasOnlyItsMembers(_ text: [UInt8]) -> Bool {
        struct OtherMember: Error {}
        let isRead = try? JSONReader.read(text, orThrow: { $0 as any Error }) { reader throws in
            try reader.beginObject()
            while let key = try reader.nextKey() {
                guard reader.text(of: key).isAny(of: ["id", "transaction"]) else { throw OtherMember() }
                try reader.skipValue()
            }
            try reader.expectEnd()
            return true
        }
        return isRead ?? false
    }

    private static func id(_ text: [UInt8]) throws(SigningError) -> JSONValue {
        // Each byte of an id may be an escape of six bytes.
        guard text.count <= 6 * maximumIDSize + 2 else { throw .idTooLong(limit: maximumIDSize) }
        guard let id = try? JSONValue.parse(text) else { throw unexpected(.text, .null, "id") }
        let count = (id.string ?? id.number)?.utf8.count
        guard let count, id.number.map(isInteger) ?? true else { throw unexpected(.text, id.kind, "id") }
        guard count <= maximumIDSize else { throw .idTooLong(limit: maximumIDSize) }
        return id
    }

    /// Of the numbers of JSON, only integers have no other characters.
    private static func isInteger(_ number: String) -> Bool {
        number.utf8.allSatisfy {
            $0 == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
        }
    }

    private static func transaction(_ text: [UInt8]) throws(SigningError) -> [UInt8] {
        if text.first == UInt8(ascii: "{") { return text }
        let value = try? JSONValue.parse(text)
        guard let packed = value?.string else {
            throw unexpected(.object, value?.kind ?? .null, "transaction")
        }
        return Array(packed.utf8)
    }

    private static func unexpected(
        _ expectation: ABIError.Expectation, _ kind: JSONKind, _ member: String
    ) -> SigningError {
        .transaction(
            .value(ABIError(.expected(expectation, found: kind)).inside(ABIError.Step.field(member))))
    }
}
