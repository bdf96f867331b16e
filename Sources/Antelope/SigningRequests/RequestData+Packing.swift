import ABICodec
import Codecs
import Keys
import Transactions

extension RequestData {
    /// Unpacks a payload: the request and, if bytes follow it, the request signature. All bytes are
    /// read.
    static func unpack(
        _ payload: [UInt8], version: RequestVersion
    ) throws(RequestError) -> (RequestData, RequestSignature?) {
        try ByteReader.read(payload) { reader throws(RequestError) in
            let chain = try RequestedChain(from: &reader)
            let content = try RequestContent(from: &reader, version: version)
            let offset = reader.offset
            let flags = RequestFlags(rawValue: try converting(RequestError.bytes, reader.readByte()))
            guard flags.isSubset(of: .known) else { throw .unknownFlags(flags.rawValue, offset: offset) }
            let callback = try reader.readText()
            var info: [RequestInfo] = []
            for _ in 0..<(try converting(RequestError.bytes, reader.readVaruint32())) {
                info.append(
                    RequestInfo(
                        key: try reader.readText(),
                        value: try converting(RequestError.bytes, reader.readPrefixedBytes())
                    ))
            }
            let request = try RequestData(
                version: version, chain: chain, content: content, flags: flags, callback: callback, info: info
            )
            guard !reader.isAtEnd else { return (request, nil) }
            let signature = try RequestSignature(from: &reader)
            try converting(RequestError.bytes, reader.expectEnd())
            return (request, signature)
        }
    }

    func write(to writer: inout ByteWriter) {
        chain.write(to: &writer)
        content.write(to: &writer)
        writer.write(byte: flags.rawValue)
        writer.write(prefixed: Array(callback.utf8))
        writer.write(list: info) { pair, writer in
            writer.write(prefixed: Array(pair.key.utf8))
            writer.write(prefixed: pair.value)
        }
    }
}

extension RequestContent {
    init(from reader: inout ByteReader, version: RequestVersion) throws(RequestError) {
        let offset = reader.offset
        let index = try converting(RequestError.bytes, reader.readByte())
        switch index {
        case 0: self = .action(try converting(RequestError.bytes, Action(from: &reader)))
        case 1: self = .actions(try converting(RequestError.bytes, reader.readList(Action.init(from:))))
        case 2: self = .transaction(try converting(RequestError.bytes, Transaction(from: &reader)))
        case 3: self = .identity(try RequestedIdentity(from: &reader, version: version))
        default: throw .unknownVariant(.content, index: index, offset: offset)
        }
    }

    func write(to writer: inout ByteWriter) {
        switch self {
        case .action(let action):
            writer.write(byte: 0)
            action.write(to: &writer)
        case .actions(let actions):
            writer.write(byte: 1)
            writer.write(list: actions) { $0.write(to: &$1) }
        case .transaction(let transaction):
            writer.write(byte: 2)
            writer.write(bytes: transaction.packed)
        case .identity(let identity):
            writer.write(byte: 3)
            if let scope = identity.scope { writer.write(integer: scope.rawValue) }
            writer.write(byte: identity.permission == nil ? 0 : 1)
            identity.permission?.write(to: &writer)
        }
    }
}

extension RequestedIdentity {
    init(from reader: inout ByteReader, version: RequestVersion) throws(RequestError) {
        var scope: Name?
        if version == .three {
            scope = Name(rawValue: try converting(RequestError.bytes, reader.readInteger()))
        }
        let offset = reader.offset
        switch try converting(RequestError.bytes, reader.readByte()) {
        case 0: self.init(scope: scope, permission: nil)
        case 1:
            self.init(
                scope: scope, permission: try converting(RequestError.bytes, PermissionLevel(from: &reader)))
        case let byte: throw .invalidOptional(byte, offset: offset)
        }
    }
}

extension ByteReader {
    fileprivate mutating func readText() throws(RequestError) -> String {
        let offset = offset
        let bytes = try converting(RequestError.bytes, readPrefixedBytes())
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalidText(offset: offset) }
        return text
    }
}
