import ABICodec
import Codecs

/// An authorization: an account and one of its permissions, `alice@active`.
package struct PermissionLevel: Hashable, Sendable {
    package let actor: Name
    package let permission: Name

    package var text: String { "\(actor.text)@\(permission.text)" }

    package init(actor: Name, permission: Name) {
        self.actor = actor
        self.permission = permission
    }

    package init(from reader: inout ByteReader) throws(CodecError) {
        self.init(
            actor: Name(rawValue: try reader.readInteger()),
            permission: Name(rawValue: try reader.readInteger()))
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(integer: actor.rawValue)
        writer.write(integer: permission.rawValue)
    }
}

/// One action of a transaction. `data` is packed by the contract's ABI.
package struct Action: Hashable, Sendable {
    package let account: Name
    package let name: Name
    package let authorization: [PermissionLevel]
    package let data: [UInt8]

    package init(account: Name, name: Name, authorization: [PermissionLevel], data: [UInt8]) {
        (self.account, self.name, self.authorization, self.data) = (account, name, authorization, data)
    }
}

extension Action {
    package init(from reader: inout ByteReader) throws(CodecError) {
        self.init(
            account: Name(rawValue: try reader.readInteger()), name: Name(rawValue: try reader.readInteger()),
            authorization: try reader.readList(PermissionLevel.init(from:)),
            data: try reader.readPrefixedBytes())
    }

    /// The part of the data that follows some names and, if there is one, a list of permission
    /// levels. A contract that stores a proposal copies it from the data in the same way.
    /// - Returns: nil for data that is too short.
    package func dataAfter(names: Int, permissionLevels: Bool) -> [UInt8]? {
        try? ByteReader.read(data) { reader throws(CodecError) in
            for _ in 0..<names { _ = try reader.readInteger() as UInt64 }
            if permissionLevels { _ = try reader.readList(PermissionLevel.init(from:)) }
            return try reader.readBytes(reader.remaining)
        }
    }

    package func write(to writer: inout ByteWriter) {
        writer.write(integer: account.rawValue)
        writer.write(integer: name.rawValue)
        writer.write(list: authorization) { $0.write(to: &$1) }
        writer.write(prefixed: data)
    }
}

/// An extension of a transaction. Today's chains refuse all of them.
package struct TransactionExtension: Hashable, Sendable {
    package let type: UInt16
    package let data: [UInt8]
}

extension TransactionExtension {
    init(from reader: inout ByteReader) throws(CodecError) {
        self.init(type: try reader.readInteger(), data: try reader.readPrefixedBytes())
    }

    func write(to writer: inout ByteWriter) {
        writer.write(integer: type)
        writer.write(prefixed: data)
    }
}

extension ByteReader {
    /// Reads a varuint32 count and that many elements. No memory is reserved for the count: reading
    /// ends at the end of the bytes, and each element takes at least one byte.
    package mutating func readList<Element>(
        _ element: (inout ByteReader) throws(CodecError) -> Element
    ) throws(CodecError) -> [Element] {
        var list: [Element] = []
        for _ in 0..<(try readVaruint32()) { list.append(try element(&self)) }
        return list
    }
}

extension ByteWriter {
    package mutating func write<Element>(list: [Element], _ element: (Element, inout ByteWriter) -> Void) {
        write(varuint32: UInt32(list.count))
        for item in list { element(item, &self) }
    }
}
