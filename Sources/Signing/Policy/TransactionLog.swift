import ABICodec
import JSON
import Messages
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

    /// - Parameters:
    ///   - chain: The chain of transactions without the member `chain`.
    ///   - names: The names of chains that this member can have.
    package init(
        _ text: [UInt8], chain: ChainID?, names: ChainNames = .builtIn
    ) throws(TransactionLogError) {
        let list: LocatedValue
        do throws(JSONError) {
            list = try LocatedValue.parse(
                text, limits: JSONLimits(size: Self.maximumSize), levels: 2,
                mostElements: Self.maximumCount + 1)
        } catch {
            throw TransactionLogError(
                reason: .json(error.reason), place: TextPlace(line: error.line, column: error.column))
        }
        do throws(PolicyFault) {
            let elements = try list.elements()
            guard elements.count <= Self.maximumCount else {
                throw PolicyFault(
                    reason: .tooMany(limit: Self.maximumCount), offset: elements[Self.maximumCount].offset)
            }
            entries = try zip(elements, TextPlace.all(of: elements.map(\.offset), in: text)).map {
                element, place throws(PolicyFault) in try Entry(element, place, chain, names)
            }
        } catch { throw TransactionLogError(reason: error.reason, place: error.place(in: text)) }
    }
}

/// Why a text is not a list of past transactions, and where.
package struct TransactionLogError: WordedError, Equatable {
    package let reason: PolicyError.Reason
    package let place: TextPlace

    package var words: Words { Words(.policyLog, reason.text).at(place.text) }
}

extension TransactionLog.Entry {
    fileprivate init(
        _ value: LocatedValue, _ place: TextPlace, _ given: ChainID?, _ names: ChainNames
    ) throws(PolicyFault) {
        let object = try PolicyObject(value, ["time", "chain", "transaction"])
        let time = try object.required("time").time()
        let chain: ChainID
        if let given, object["chain"] == nil {
            chain = given
        } else {
            chain = try object.required("chain").chain(names)
        }
        self.init(
            place: place, time: time, chain: chain,
            transaction: try object.required("transaction").transaction())
    }
}

extension LocatedValue {
    /// A number of seconds, or a time in UTC.
    fileprivate func time() throws(PolicyFault) -> UInt32 {
        if let seconds = scalar?.number.flatMap({ UInt32($0) }) { return seconds }
        if var text = scalar?.string {
            if text.hasSuffix("Z") { text.removeLast() }
            // A year before 1970 or after 2106 would be another time.
            if let time = try? TimePointSec(roundingDown: text), text.hasPrefix(time.text) {
                return time.seconds
            }
        }
        throw fault(.time)
    }

    /// The text of an object, or the content of a string.
    fileprivate func transaction() throws(PolicyFault) -> [UInt8] {
        if case .unread(.object, let text) = content { return Array(text) }
        return try expect(scalar?.string.map { Array($0.utf8) }, orThrow: .transaction)
    }
}
