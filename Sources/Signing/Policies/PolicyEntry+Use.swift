import ABICodec
import Codecs
import KeyVault
import Policy

extension PolicyEntry {
    private static let version: UInt8 = 1

    /// The entry as the vault stores it (VaultFormat.md, "Policies").
    package var use: PolicyUse {
        var writer = ByteWriter()
        writer.write(byte: Self.version)
        writer.write(bytes: Array(transaction))
        writer.write(byte: token == nil ? 0 : 1)
        if let token {
            writer.write(integer: token.contract.rawValue)
            writer.write(integer: token.symbol.code.rawValue << 8 | UInt64(token.symbol.precision))
        }
        writer.write(byte: recipient == nil ? 0 : 1)
        if let recipient { writer.write(integer: recipient.rawValue) }
        writer.write(integer: amount)
        writer.write(integer: count)
        return PolicyUse(time: Int64(time), .signature(writer.bytes[...]))
    }

    /// Reads the content of a use; nil for bytes that `use` does not write.
    package init?(time: Int64, content: ArraySlice<UInt8>) {
        guard let time = UInt32(exactly: time),
            let entry = try? ByteReader.read(
                content,
                { reader throws(CodecError) in
                    let entry = try Self.read(time, content, from: &reader)
                    try reader.expectEnd()
                    return entry
                })
        else { return nil }
        self = entry
    }

    private static func read(
        _ time: UInt32, _ content: ArraySlice<UInt8>, from reader: inout ByteReader
    ) throws(CodecError) -> PolicyEntry? {
        guard try reader.readByte() == version else { return nil }
        let start = content.startIndex + reader.offset
        try reader.withBytes(32, orThrow: { $0 }) { _ throws(CodecError) in }
        let transaction = content[start..<start + 32]
        var (token, recipient): (Token?, Name?)
        switch try reader.readByte() {
        case 0: break
        case 1:
            let contract = Name(rawValue: try reader.readInteger())
            let symbol: UInt64 = try reader.readInteger()
            let precision = UInt8(truncatingIfNeeded: symbol)
            guard let code = try? SymbolCode(rawValue: symbol >> 8),
                let symbol = try? Symbol(precision: precision, code: code)
            else { return nil }
            token = Token(symbol: symbol, contract: contract)
        default: return nil
        }
        switch try reader.readByte() {
        case 0: break
        case 1: recipient = Name(rawValue: try reader.readInteger())
        default: return nil
        }
        return PolicyEntry(
            time: time, transaction: transaction, token: token, recipient: recipient,
            amount: try reader.readInteger(), count: try reader.readInteger())
    }
}
