import ABICodec
import Codecs
import Digests
import Transactions

/// The sums of payments by payer, token, recipient and memo, in some 80 bytes for each and the
/// beginning of its memo.
package struct PaymentTotals: Sendable {
    /// What many sums share.
    struct Kind: Hashable, Sendable {
        let token: Token
        let kind: Payment.Kind
    }

    struct Token: Hashable, Sendable {
        let contract: Name
        let symbol: Symbol
        /// The payments of a proposal are not added to those that run with the transaction.
        let execution: Execution
        let isAuthorized: Bool
        /// Negative amounts are refused by token contracts: they must not reduce a sum.
        let isNegative: Bool
    }

    private struct Entry: Sendable {
        var amount: Int128 = 0
        let payer, recipient: Name
        let beneficiary: Name?
        let kind: UInt32
        let memo: Memo
        var count: UInt32 = 0
        var isFirst = false
    }

    /// A part of `memos`.
    private struct Memo: Sendable {
        let start: UInt32
        let count: UInt8
        let isCut: Bool
    }

    private var kinds: [Kind] = []
    private var kindIndices: [Kind: UInt32] = [:]
    private var entries = PiecewiseArray<Entry>()
    private var index = IndexTable()
    private var memos: [UInt8] = []
    /// The token of each kind, as a number.
    private var tokens: [Token: Int] = [:]

    package init() {}

    package var count: Int { entries.count }

    /// The bytes of a memo that are compared: a longer one by its beginning and its SHA-256.
    private static let comparedCount = 48
    private static let digestCount = 16

    /// - Parameter limit: the most sums.
    /// - Returns: false if there is no room for a new sum. Then nothing is added.
    mutating func add(_ payment: Payment, _ execution: Execution, isFirst: Bool, limit: Int) -> Bool {
        let token = Token(
            contract: payment.contract, symbol: payment.quantity.symbol, execution: execution,
            isAuthorized: payment.isAuthorized, isNegative: payment.quantity.amount < 0)
        let kind = number(of: Kind(token: token, kind: payment.kind))
        let (memo, isCut) = Self.compared(payment.memo)
        let hash = index.hash { hasher in
            Self.combine(kind, payment.payer, payment.recipient, payment.beneficiary, into: &hasher)
            for byte in memo { hasher.combine(byte) }
        }
        let known = index.find(hash) { place in
            let entry = entries[place]
            return entry.kind == kind && entry.payer == payment.payer && entry.recipient == payment.recipient
                && entry.beneficiary == payment.beneficiary && entry.memo.isCut == isCut
                && memos[bytes(of: entry.memo)].elementsEqual(memo)
        }
        if known == nil {
            guard entries.count < limit, let start = UInt32(exactly: memos.count) else { return false }
            entries.append(
                Entry(
                    payer: payment.payer, recipient: payment.recipient, beneficiary: payment.beneficiary, kind: kind,
                    memo: Memo(start: start, count: UInt8(truncatingIfNeeded: memo.count), isCut: isCut)))
            memos += memo
            index.add(entries.count - 1, hashes: self.hash)
        }
        let place = known ?? entries.count - 1
        entries[place].amount += Int128(payment.quantity.amount)
        entries[place].count += 1
        if isFirst { entries[place].isFirst = true }
        return true
    }

    private mutating func number(of kind: Kind) -> UInt32 {
        if let number = kindIndices[kind] { return number }
        let number = UInt32(truncatingIfNeeded: kinds.count)
        kinds.append(kind)
        kindIndices[kind] = number
        if tokens[kind.token] == nil { tokens[kind.token] = tokens.count }
        return number
    }

    private func hash(_ place: Int) -> UInt64 {
        let entry = entries[place]
        return index.hash { hasher in
            Self.combine(entry.kind, entry.payer, entry.recipient, entry.beneficiary, into: &hasher)
            for byte in memos[bytes(of: entry.memo)] { hasher.combine(byte) }
        }
    }

    private static func combine(
        _ kind: UInt32, _ payer: Name, _ recipient: Name, _ beneficiary: Name?, into hasher: inout Hasher
    ) {
        hasher.combine(kind)
        hasher.combine(payer)
        hasher.combine(recipient)
        hasher.combine(beneficiary)
    }

    private func bytes(of memo: Memo) -> Range<Int> { Int(memo.start)..<Int(memo.start) + Int(memo.count) }

    private static func compared(_ memo: String) -> (bytes: [UInt8], isCut: Bool) {
        let bytes = Array(memo.utf8)
        guard bytes.count > comparedCount else { return (bytes, false) }
        let digest = Array(HashFunction.sha256.hash(bytes).prefix(digestCount))
        return (Array(bytes.prefix(comparedCount - digestCount)) + digest, true)
    }

    // MARK: - reading

    /// A sum at a place. The places are in the order of the first payments.
    package subscript(place: Int) -> Summary.Total {
        let entry = entries[place]
        let kind = kinds[Int(entry.kind)]
        var memo = memos[bytes(of: entry.memo)]
        if entry.memo.isCut { memo = memo.dropLast(Self.digestCount) }
        return Summary.Total(
            kind: kind.kind, contract: kind.token.contract, symbol: kind.token.symbol, payer: entry.payer,
            recipient: entry.recipient, beneficiary: entry.beneficiary, execution: kind.token.execution,
            isAuthorized: kind.token.isAuthorized, memo: String(decoding: memo, as: UTF8.self),
            isMemoCut: entry.memo.isCut, amount: entry.amount, count: Int(entry.count), isFirst: entry.isFirst)
    }

    package func amount(at place: Int) -> Int128 { entries[place].amount }
    package func recipient(at place: Int) -> Name { entries[place].recipient }

    /// Whether two sums are of one payer and token.
    package func isSamePayerAndToken(_ left: Int, _ right: Int) -> Bool {
        entries[left].payer == entries[right].payer && token(at: left) == token(at: right)
    }

    /// Whether two sums of one payer and token are of one kind.
    package func isSameKind(_ left: Int, _ right: Int) -> Bool { entries[left].kind == entries[right].kind }

    private func token(at place: Int) -> Int { tokens[kinds[Int(entries[place].kind)].token] ?? 0 }

    /// The places of all sums: those of one payer, token and kind follow each other, the greatest
    /// amount first.
    package var sortedPlaces: [UInt32] {
        let tokens = kinds.map { self.tokens[$0.token] ?? 0 }
        return (0..<UInt32(truncatingIfNeeded: count)).sorted { left, right in
            let (first, second) = (entries[Int(left)], entries[Int(right)])
            if first.payer != second.payer { return first.payer.rawValue < second.payer.rawValue }
            let (firstToken, secondToken) = (tokens[Int(first.kind)], tokens[Int(second.kind)])
            if firstToken != secondToken { return firstToken < secondToken }
            if first.kind != second.kind { return first.kind < second.kind }
            let (firstAmount, secondAmount) = (first.amount.magnitude, second.amount.magnitude)
            return firstAmount != secondAmount ? firstAmount > secondAmount : left < right
        }
    }
}
