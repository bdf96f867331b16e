import Codecs

extension AuditEvent {
    static let hashCount = 32

    /// Writes the payload: the bytes after the kind and the time. Writes nothing for `other`, whose
    /// payload this version does not define.
    func writePayload(to writer: inout ByteWriter) {
        switch self {
        case .made, .rekeyed, .other: break
        case .created(let key), .imported(let key), .exported(let key), .removed(let key), .rotated(let key):
            writer.write(name: key)
        case .requestSigned(let key, let request):
            writer.write(name: key)
            request.write(to: &writer)
        case .signed(let key, let chain, let transaction, let actions):
            writer.write(name: key)
            writer.write(bytes: chain)
            writer.write(bytes: transaction)
            actions.write(to: &writer)
        case .renamed(let key, let from, let to):
            writer.write(name: key)
            writer.write(label: from)
            writer.write(label: to)
        case .slotAdded(let number, let kind), .slotRemoved(let number, let kind),
            .slotChanged(let number, let kind):
            writer.write(byte: UInt8(truncatingIfNeeded: number))
            writer.write(byte: kind.number)
        case .failedUnlocks(let count, let first, let last):
            for number in [count, first, last] { writer.write(integer: number) }
        case .policyRefusals(let refusals): refusals.write(to: &writer)
        case .clockCorrected(let last): writer.write(integer: last)
        case .backedUp(let number), .restored(let number), .rescued(let number): writer.write(integer: number)
        case .abiPinned(let contract, let hash), .abiUnpinned(let contract, let hash):
            writer.write(bytes: contract.chain)
            writer.write(text: contract.account.utf8)
            writer.write(bytes: hash)
        case .chainNamed(let chain, let name), .chainUnnamed(let chain, let name):
            writer.write(bytes: chain)
            writer.write(text: name.text.utf8)
        case .policySet(let subject, let hash), .policyRemoved(let subject, let hash):
            writer.write(text: subject.rowName.utf8)
            writer.write(bytes: hash)
        case .digestSigned(let key, let digest):
            writer.write(name: key)
            writer.write(bytes: digest)
        case .archived(let first, let last, let hash):
            writer.write(integer: first)
            writer.write(integer: last)
            writer.write(bytes: hash)
        }
    }

    /// Reads the payload of a kind.
    /// - Throws: `BodyError` for a value that no writer produces, for example a malformed name or a
    ///   number out of range.
    init(kind: UInt8, from reader: inout ByteReader) throws(BodyError) {
        switch kind == Self.paidNumber ? .signed : AuditEventKind(rawValue: kind) {
        case .made: self = .made
        case .created: self = .created(key: try reader.readName())
        case .imported: self = .imported(key: try reader.readName())
        case .exported: self = .exported(key: try reader.readName())
        case .removed: self = .removed(key: try reader.readName())
        case .renamed:
            self = .renamed(
                key: try reader.readName(), from: try reader.readLabel(), to: try reader.readLabel())
        case .slotAdded: self = .slotAdded(number: try reader.readSlotNumber(), try reader.readSlotKind())
        case .slotRemoved: self = .slotRemoved(number: try reader.readSlotNumber(), try reader.readSlotKind())
        case .slotChanged: self = .slotChanged(number: try reader.readSlotNumber(), try reader.readSlotKind())
        case .rekeyed: self = .rekeyed
        case .failedUnlocks:
            self = .failedUnlocks(
                count: try reader.readCount(from: 1), first: try reader.readTime(),
                last: try reader.readTime())
        case .backedUp: self = .backedUp(generation: try reader.readCount())
        case .restored: self = .restored(generation: try reader.readCount())
        case .rescued: self = .rescued(count: try reader.readCount())
        case .abiPinned: self = .abiPinned(try reader.readContract(), hash: try reader.readHash())
        case .abiUnpinned: self = .abiUnpinned(try reader.readContract(), hash: try reader.readHash())
        case .signed:
            self = .signed(
                key: try reader.readName(), chain: try reader.readHash(), transaction: try reader.readHash(),
                actions: try SignedActions(from: &reader, hasPayments: kind == Self.paidNumber))
        case .archived:
            let first = try reader.readCount(from: 1)
            self = .archived(
                first: first, last: try reader.readCount(from: first), hash: try reader.readHash())
        case .requestSigned:
            self = .requestSigned(key: try reader.readName(), try RequestRecord(from: &reader))
        case .rotated: self = .rotated(key: try reader.readName())
        case .policySet: self = .policySet(try reader.readSubject(), hash: try reader.readHash())
        case .policyRemoved: self = .policyRemoved(try reader.readSubject(), hash: try reader.readHash())
        case .policyRefusals:
            self = .policyRefusals(try PolicyRefusals(from: &reader))
        case .clockCorrected: self = .clockCorrected(last: try reader.readTime())
        case .chainNamed: self = .chainNamed(try reader.readHash(), try reader.readChainName())
        case .chainUnnamed: self = .chainUnnamed(try reader.readHash(), try reader.readChainName())
        case .digestSigned: self = .digestSigned(key: try reader.readName(), digest: try reader.readHash())
        case nil: self = .other(kind: kind)
        }
    }

    /// The bytes are not a valid body.
    struct BodyError: Error {}
}

extension ByteWriter {
    mutating func write(name: EntryName) { write(text: name.text.utf8) }

    /// The name of an entry has 1 to 128 bytes and the name of an account 1 to 13, so the length
    /// fits one byte.
    mutating func write(text: String.UTF8View) {
        write(byte: UInt8(truncatingIfNeeded: text.count))
        write(bytes: text)
    }

    /// A text after its length, a `u16`.
    mutating func write(longText text: some Collection<UInt8>) {
        write(integer: UInt16(truncatingIfNeeded: text.count))
        write(bytes: text)
    }

    fileprivate mutating func write(label: Label?) {
        write(byte: label == nil ? 0 : 1)
        if let label { write(longText: label.text.utf8) }
    }
}

extension AuditEvent.BodyError {
    /// The value that was read; nil is an error.
    static func expect<Value>(_ value: Value?) throws(AuditEvent.BodyError) -> Value {
        guard let value else { throw AuditEvent.BodyError() }
        return value
    }
}

extension ByteReader {
    fileprivate typealias BodyError = AuditEvent.BodyError

    /// Reads a value that is stored after a byte with its version. It takes all bytes.
    static func readStored<Value>(
        _ bytes: [UInt8], version: UInt8, _ body: (inout ByteReader) throws(AuditEvent.BodyError) -> Value
    ) throws(AuditEvent.BodyError) -> Value {
        try read(bytes) { reader throws(AuditEvent.BodyError) in
            guard try reader.read() == version else { throw AuditEvent.BodyError() }
            let value = try body(&reader)
            guard reader.isAtEnd else { throw AuditEvent.BodyError() }
            return value
        }
    }

    /// A fixed-width integer, little-endian.
    mutating func read<Value: FixedWidthInteger & BitwiseCopyable>() throws(AuditEvent.BodyError) -> Value {
        do { return try readInteger(Value.self) } catch { throw AuditEvent.BodyError() }
    }

    mutating func read(_ count: Int) throws(AuditEvent.BodyError) -> [UInt8] {
        do { return try readBytes(count) } catch { throw BodyError() }
    }

    mutating func readHash() throws(AuditEvent.BodyError) -> [UInt8] { try read(AuditEvent.hashCount) }

    private mutating func readText(_ count: some FixedWidthInteger) throws(BodyError) -> String {
        try BodyError.expect(String(validating: read(Int(count)), as: UTF8.self))
    }

    mutating func readText() throws(AuditEvent.BodyError) -> String { try readText(read() as UInt8) }

    /// A text after its length, a `u16`.
    mutating func readLongText() throws(AuditEvent.BodyError) -> String { try readText(read() as UInt16) }

    mutating func readName() throws(AuditEvent.BodyError) -> EntryName {
        try BodyError.expect(EntryName(readText()))
    }

    fileprivate mutating func readSubject() throws(BodyError) -> StoredPolicy.Subject {
        try BodyError.expect(StoredPolicy.Subject(rowName: readText()))
    }

    fileprivate mutating func readContract() throws(BodyError) -> ContractAddress {
        try BodyError.expect(ContractAddress(chain: read(ContractAddress.chainIDCount), account: readText()))
    }

    fileprivate mutating func readChainName() throws(BodyError) -> ChainName {
        try BodyError.expect(ChainName(stored: readText()))
    }

    fileprivate mutating func readLabel() throws(BodyError) -> Label? {
        let presence: UInt8 = try read()
        guard presence != 0 else { return nil }
        let text = try readLongText()
        guard presence == 1, let label = try? Label(stored: text) else { throw BodyError() }
        return label
    }

    fileprivate mutating func readSlotNumber() throws(BodyError) -> Int {
        let number: UInt8 = try read()
        guard number < VaultFormat.maximumSlotCount else { throw BodyError() }
        return Int(number)
    }

    fileprivate mutating func readSlotKind() throws(BodyError) -> SlotKind { SlotKind(number: try read()) }

    mutating func readCount(from lowest: Int64 = 0) throws(AuditEvent.BodyError) -> Int64 {
        let count: Int64 = try read()
        guard count >= lowest else { throw BodyError() }
        return count
    }

    mutating func readTime() throws(AuditEvent.BodyError) -> Int64 {
        let time: Int64 = try read()
        guard VaultFormat.allowedTimes.contains(time) else { throw AuditEvent.BodyError() }
        return time
    }
}
