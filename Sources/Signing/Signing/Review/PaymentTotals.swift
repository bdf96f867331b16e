import ABICodec
import Codecs
import Transactions

/// The sums of payments by payer, token, recipient and memo, in some 80 bytes for each and the
/// beginning of its memo.
package struct PaymentTotals: Sendable {
    /// The properties that many sums share.
    struct Kind: Hashable, Sendable {
        let token: Token
        let kind: Payment.Kind
        /// Who or what gets the use of the tokens, if it is not the recipient.
        let beneficiary: Name?
    }

    struct Token: Hashable, Sendable {
        let contract: Name
        let symbol: Symbol
        /// The payments of a proposal are not added to payments that run with the transaction.
        let execution: Execution
        let isAuthorized: Bool
        /// Negative amounts are refused by token contracts: they must not reduce a sum.
        let isNegative: Bool
    }

    private struct Entry: Sendable {
        var amount: Int128 = 0
        let payer, recipient: Name
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
    /// The table that hashes. It never changes, so that `index` is never copied.
    private let hashes: IndexTable
    private var index: IndexTable
    private var memos: [UInt8] = []
    /// The tokens of the kinds, as numbers.
    private var tokens: [Token: Int] = [:]

    /// The most kinds: a beneficiary makes a new one.
    private static let maximumKindCount = 100_000

    package init() {
        hashes = IndexTable()
        index = hashes
    }

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
        guard
            let kind = number(of: Kind(token: token, kind: payment.kind, beneficiary: payment.beneficiary))
        else { return false }
        let (memo, isCut) = Self.compared(payment.memo)
        let hash = hashes.hash { hasher in
            Self.combine(kind, payment.payer, payment.recipient, into: &hasher)
            for byte in memo { hasher.combine(byte) }
        }
        let known = index.find(hash) { place in
            let entry = entries[place]
            return entry.kind == kind && entry.payer == payment.payer && entry.recipient == payment.recipient
                && entry.memo.isCut == isCut && memos[Self.bytes(of: entry.memo)].elementsEqual(memo)
        }
        if known == nil {
            guard entries.count < limit, let start = UInt32(exactly: memos.count) else { return false }
            entries.append(
                Entry(
                    payer: payment.payer, recipient: payment.recipient, kind: kind,
                    memo: Memo(start: start, count: UInt8(truncatingIfNeeded: memo.count), isCut: isCut)))
            memos += memo
            let (hashes, entries, memos) = (hashes, entries, memos)
            index.add(entries.count - 1) { Self.hash(of: entries[$0], in: memos, hashes) }
        }
        let place = known ?? entries.count - 1
        entries[place].amount += Int128(payment.quantity.amount)
        entries[place].count += 1
        if isFirst { entries[place].isFirst = true }
        return true
    }

    private mutating func number(of kind: Kind) -> UInt32? {
        if let number = kindIndices[kind] { return number }
        guard kinds.count < Self.maximumKindCount else { return nil }
        let number = UInt32(truncatingIfNeeded: kinds.count)
        kinds.append(kind)
        kindIndices[kind] = number
        if tokens[kind.token] == nil { tokens[kind.token] = tokens.count }
        return number
    }

    private static func hash(of entry: Entry, in memos: [UInt8], _ hashes: IndexTable) -> UInt64 {
        hashes.hash { hasher in
            combine(entry.kind, entry.payer, entry.recipient, into: &hasher)
            for byte in memos[bytes(of: entry.memo)] { hasher.combine(byte) }
        }
    }

    private static func combine(_ kind: UInt32, _ payer: Name, _ recipient: Name, into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(payer)
        hasher.combine(recipient)
    }

    private static func bytes(of memo: Memo) -> Range<Int> {
        Int(memo.start)..<Int(memo.start) + Int(memo.count)
    }

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
        var memo = memos[Self.bytes(of: entry.memo)]
        if entry.memo.isCut { memo = memo.dropLast(Self.digestCount) }
        return Summary.Total(
            kind: kind.kind, contract: kind.token.contract, symbol: kind.token.symbol, payer: entry.payer,
            recipient: entry.recipient, beneficiary: kind.beneficiary, execution: kind.token.execution,
            isAuthorized: kind.token.isAuthorized, memo: String(decoding: memo, as: UTF8.self),
            isMemoCut: entry.memo.isCut, amount: entry.amount, count: Int(entry.count), isFirst: entry.isFirst
        )
    }

    package func amount(at place: Int) -> Int128 { entries[place].amount }
    package func recipient(at place: Int) -> Name { entries[place].recipient }
    package func beneficiary(at place: Int) -> Name? { kinds[Int(entries[place].kind)].beneficiary }

    /// True if two sums are of one payer and token.
    package func isSamePayerAndToken(_ left: Int, _ right: Int) -> Bool {
        entries[left].payer == entries[right].payer && token(at: left) == token(at: right)
    }

    /// True if two sums of one payer and token are of one kind of payment.
    package func isSameKind(_ left: Int, _ right: Int) -> Bool {
        kinds[Int(entries[left].kind)].kind == kinds[Int(entries[right].kind)].kind
    }

    private func token(at place: Int) -> Int { tokens[kinds[Int(entries[place].kind)].token] ?? 0 }

    /// The places of all sums. The sums of one payer, token and kind follow each other, the
    /// greatest amount first.
    package var sortedPlaces: [UInt32] {
        let tokens = kinds.map { self.tokens[$0.token] ?? 0 }
        let payments = kinds.map { kind in Payment.Kind.allCases.firstIndex(of: kind.kind) ?? 0 }
        return (0..<UInt32(truncatingIfNeeded: count)).sorted { left, right in
            let (first, second) = (entries[Int(left)], entries[Int(right)])
            if first.payer != second.payer { return first.payer.rawValue < second.payer.rawValue }
            let (firstToken, secondToken) = (tokens[Int(first.kind)], tokens[Int(second.kind)])
            if firstToken != secondToken { return firstToken < secondToken }
            let (firstKind, secondKind) = (payments[Int(first.kind)], payments[Int(second.kind)])
            if firstKind != secondKind { return firstKind < secondKind }
            let (firstAmount, secondAmount) = (first.amount.magnitude, second.amount.magnitude)
            return firstAmount != secondAmount ? firstAmount > secondAmount : left < right
        }
    }
}
