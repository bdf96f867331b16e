import ABICodec
import Codecs
import Policy

/// The uses as the vault stores them (VaultFormat.md, "Policies").
extension LimitUses {
    /// The parts to store in place of the parts that were read.
    package var changedParts: [PolicyUses.Part] {
        (isRebuilt ? sumParts : changed.map(encoded)) + digests.changed.map { digests.encoded($0) }
    }

    /// All parts.
    package var allParts: [PolicyUses.Part] {
        sumParts + digests.shards.indices.map { digests.encoded($0) }.filter { !$0.content.isEmpty }
    }

    private var sumParts: [PolicyUses.Part] { Set(sums.indices.flatMap(parts(ofSeries:))).map(encoded) }

    /// The numbers of the parts that stay in the vault; nil for all that are not changed.
    package var keptParts: Set<UInt32>? {
        isRebuilt ? Set((0..<SignedDigests.shardCount).map(SignedDigests.partNumber)) : nil
    }

    /// The parts with sums, and the first one of each series, which states that its sums are kept.
    private func parts(ofSeries index: Int) -> [Part] {
        let first = Part(series: index, shard: 0)
        guard sums[index].series.isForEachRecipient else { return [first] }
        return [first] + sums[index].byRecipient.keys.map { Part(series: index, shard: Self.shard(of: $0)) }
    }

    private func encoded(_ part: Part) -> PolicyUses.Part {
        let sums = sums[part.series]
        var lists = sums.byRecipient.map { (recipient: $0.key, list: $0.value) }
        if sums.series.isForEachRecipient { lists.removeAll { Self.shard(of: $0.recipient) != part.shard } }
        var content: [UInt8] = []
        if !lists.isEmpty || part.shard == 0 {
            lists.sort { Self.order($0.recipient) < Self.order($1.recipient) }
            var writer = ByteWriter()
            writer.write(byte: StoredPart.sums.rawValue)
            writer.write(sums.series)
            for (recipient, list) in lists {
                writer.write(byte: recipient == nil ? 0 : 1)
                if let recipient { writer.write(integer: recipient.rawValue) }
                writer.write(integer: UInt16(clamping: list.count))
                for sum in list {
                    writer.write(integer: sum.slice)
                    writer.write(integer: sum.amount)
                    writer.write(integer: sum.count)
                }
            }
            content = writer.bytes
        }
        return PolicyUses.Part(number: UInt32(part.series) << 8 | UInt32(part.shard), content: content)
    }

    /// Payments without a recipient are first.
    fileprivate static func order(_ recipient: Name?) -> UInt128 {
        recipient.map { UInt128($0.rawValue) + 1 } ?? 0
    }

    // MARK: reading

    /// - Returns: nil for parts that `changedParts` does not write.
    package init?(_ parts: [PolicyUses.Part]) {
        var stored = StoredUses()
        for part in parts {
            let isRead = try? ByteReader.readAll(part.content) { reader throws(CodecError) in
                try stored.read(part.number, from: &reader)
            }
            guard isRead == true else { return nil }
        }
        guard let digests = SignedDigests(stored.digests) else { return nil }
        self.init(stored.sums, digests)
    }
}

/// The parts that were read.
private struct StoredUses {
    var sums: [LimitUses.Sums] = []
    var digests: [Int: [SignedDigests.Record]] = [:]
    /// Of the limits for each recipient.
    private var sumCount = 0

    /// - Returns: true if a writer produces the part, after the parts that were read.
    mutating func read(_ number: UInt32, from reader: inout ByteReader) throws(CodecError) -> Bool {
        let (index, shard) = (Int(number >> 8), UInt8(truncatingIfNeeded: number))
        switch StoredPart(rawValue: try reader.readByte()) {
        case .digests:
            digests[Int(shard)] = try reader.readDigests()
            return number == SignedDigests.partNumber(Int(shard))
        case .sums:
            guard let series = try reader.readSeries() else { return false }
            if index == sums.count, shard == 0, !sums.contains(where: { $0.series == series }) {
                sums.append(LimitUses.Sums(of: series))
            }
            guard index == sums.count - 1, sums[index].series == series else { return false }
            return try reader.readSums(of: shard, into: &sums[index], &sumCount)
        case nil: return false
        }
    }
}

private enum StoredPart: UInt8 {
    case sums = 1
    case digests = 2
}

extension SignedDigests {
    /// The number of the part with the digests of a shard.
    fileprivate static func partNumber(_ shard: Int) -> UInt32 {
        0xfe00_0000 | UInt32(UInt8(clamping: shard))
    }

    fileprivate func encoded(_ shard: Int) -> PolicyUses.Part {
        var writer = ByteWriter()
        if !shards[shard].isEmpty { writer.write(byte: StoredPart.digests.rawValue) }
        for record in shards[shard] {
            writer.write(integer: record.expiration)
            writer.write(integer: record.digest.high.byteSwapped)
            writer.write(integer: record.digest.low.byteSwapped)
        }
        return PolicyUses.Part(number: Self.partNumber(shard), content: writer.bytes)
    }
}

extension Limit.Period {
    /// The number in the vault; 0 for a transaction, which is not stored.
    fileprivate var number: UInt8 {
        switch self {
        case .transaction: 0
        case .hour: 1
        case .day: 2
        case .week: 3
        case .month: 4
        }
    }
}

extension ByteWriter {
    fileprivate mutating func write(_ series: LimitSeries) {
        write(byte: series.period.number)
        write(byte: series.isForEachRecipient ? 1 : 0)
        write(byte: series.token == nil ? 0 : 1)
        guard let token = series.token else { return }
        write(integer: token.contract.rawValue)
        write(integer: token.symbol.code.rawValue << 8 | UInt64(token.symbol.precision))
    }
}

extension ByteReader {
    fileprivate mutating func readFlag() throws(CodecError) -> Bool? {
        switch try readByte() {
        case 0: false
        case 1: true
        default: nil
        }
    }

    fileprivate mutating func readSeries() throws(CodecError) -> LimitSeries? {
        let number = try readByte()
        guard let period = Limit.Period.allCases.first(where: { $0.number == number && $0 != .transaction }),
            let isForEachRecipient = try readFlag(), let hasToken = try readFlag()
        else { return nil }
        guard hasToken else {
            return isForEachRecipient
                ? nil : LimitSeries(token: nil, period: period, isForEachRecipient: false)
        }
        let contract = Name(rawValue: try readInteger())
        let symbol: UInt64 = try readInteger()
        guard let code = try? SymbolCode(rawValue: symbol >> 8),
            let symbol = try? Symbol(precision: UInt8(truncatingIfNeeded: symbol), code: code)
        else { return nil }
        return LimitSeries(
            token: Token(symbol: symbol, contract: contract), period: period,
            isForEachRecipient: isForEachRecipient)
    }

    /// - Parameter count: of the sums for each recipient that were read.
    /// - Returns: true if a writer produces them.
    fileprivate mutating func readSums(
        of shard: UInt8, into sums: inout LimitUses.Sums, _ count: inout Int
    ) throws(CodecError) -> Bool {
        let isForEach = sums.series.isForEachRecipient
        guard isForEach || shard == 0, !isAtEnd || shard == 0 else { return false }
        var last: UInt128?
        while !isAtEnd {
            guard let hasRecipient = try readFlag(), isForEach || !hasRecipient else { return false }
            let recipient = hasRecipient ? Name(rawValue: try readInteger()) : nil
            let order = LimitUses.order(recipient)
            guard last.map({ $0 < order }) ?? true, !isForEach || LimitUses.shard(of: recipient) == shard
            else {
                return false
            }
            last = order
            let number: UInt16 = try readInteger()
            var list: [SliceSum] = []
            for _ in 0..<number {
                let sum = SliceSum(
                    slice: try readInteger(), amount: try readInteger(), count: try readInteger())
                guard list.last.map({ $0.slice < sum.slice }) ?? true else { return false }
                list.append(sum)
            }
            if isForEach { count += list.count }
            guard (1...2 * Int(Limit.Period.sliceCount)).contains(list.count),
                count <= LimitUses.maximumSumCount
            else { return false }
            sums.set(list, of: recipient)
        }
        return true
    }

    /// All that follow.
    fileprivate mutating func readDigests() throws(CodecError) -> [SignedDigests.Record] {
        var records: [SignedDigests.Record] = []
        repeat {
            let expiration: UInt32 = try readInteger()
            let (high, low): (UInt128, UInt128) = (try readInteger(), try readInteger())
            records.append(
                SignedDigests.Record(
                    SignedDigests.Digest(high: high.byteSwapped, low: low.byteSwapped), expiration: expiration
                ))
        } while !isAtEnd
        return records
    }
}
