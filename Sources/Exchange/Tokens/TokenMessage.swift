import Codecs
import Keys

/// A request of `eosvault` to `eosvault-token`. <doc:TokenProtocol> specifies the bytes.
package enum TokenRequest: Equatable, Sendable {
    /// Starts a process that loads a module. The process answers the further requests of its
    /// channel.
    case load(module: String, milliseconds: UInt32)
    case list
    case open(slot: UInt64, isWritable: Bool)
    /// The PIN follows; no PIN for a token with a keypad of its own.
    case login(pinCount: UInt16)
    case find(TokenObjectClass, id: [UInt8]?, label: [UInt8]?)
    case object(UInt64)
    case generate(Curve, label: [UInt8], id: [UInt8])
    case remove(UInt64)
    /// Signs until a signature is canonical on this curve, at most `maximumSignatures` times.
    case sign(key: UInt64, Curve, digest: [UInt8])
    /// Logs out, and ends the process of the channel.
    case close

    /// In the answer to one request.
    package static let maximumSignatures = 8

    /// In bytes, of a request or an answer.
    package static let maximumCount = 64 * 1024

    /// How long its answer may take: a person types a PIN on a keypad, and the last one of several
    /// signatures is started before a quarter of the time is over.
    /// - Parameter usual: the time of a call, at most 600,000.
    package func milliseconds(usual: UInt32) -> UInt32 {
        switch self {
        case .login(pinCount: 0): max(usual, 60_000)
        case .sign: usual + usual / 4
        default: usual
        }
    }

    /// The bytes after the channel. Those of `login` end before the PIN.
    package var bytes: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .load(let module, let milliseconds):
            writer.write(byte: 1)
            writer.write(integer: milliseconds)
            writer.write(prefixed: Array(module.utf8))
        case .list: writer.write(byte: 2)
        case .open(let slot, let isWritable):
            writer.write(byte: 3)
            writer.write(integer: slot)
            writer.write(byte: isWritable ? 1 : 0)
        case .login(let count):
            writer.write(byte: 4)
            writer.write(integer: count)
        case .find(let kind, let id, let label):
            writer.write(byte: 5)
            writer.write(byte: kind.rawValue)
            writer.write(optional: id)
            writer.write(optional: label)
        case .object(let object):
            writer.write(byte: 6)
            writer.write(integer: object)
        case .generate(let curve, let label, let id):
            writer.write(byte: 7)
            writer.write(byte: curve.rawValue)
            writer.write(prefixed: label)
            writer.write(prefixed: id)
        case .remove(let object):
            writer.write(byte: 8)
            writer.write(integer: object)
        case .sign(let key, let curve, let digest):
            writer.write(byte: 9)
            writer.write(integer: key)
            writer.write(byte: curve.rawValue)
            writer.write(bytes: digest)
        case .close: writer.write(byte: 10)
        }
        return writer.bytes
    }

    /// Parses a request. A `login` ends before the PIN.
    package init(_ bytes: [UInt8]) throws(CodecError) {
        self = try ByteReader.readAll(bytes) { reader throws(CodecError) in
            switch try reader.readByte() {
            case 1:
                let milliseconds = try reader.readInteger(UInt32.self)
                let module = try reader.readPrefixedBytes()
                guard let text = String(validating: module, as: UTF8.self) else {
                    throw .invalidVaruint(offset: 5)
                }
                return .load(module: text, milliseconds: milliseconds)
            case 2: return .list
            case 3: return .open(slot: try reader.readInteger(), isWritable: try reader.readFlag())
            case 4: return .login(pinCount: try reader.readInteger())
            case 5:
                guard let kind = TokenObjectClass(rawValue: try reader.readByte()) else {
                    throw .invalidVaruint(offset: 1)
                }
                return .find(kind, id: try reader.readOptional(), label: try reader.readOptional())
            case 6: return .object(try reader.readInteger())
            case 7:
                return .generate(
                    try reader.readCurve(), label: try reader.readPrefixedBytes(),
                    id: try reader.readPrefixedBytes())
            case 8: return .remove(try reader.readInteger())
            case 9:
                return .sign(
                    key: try reader.readInteger(), try reader.readCurve(), digest: try reader.readBytes(32))
            case 10: return .close
            default: throw .invalidVaruint(offset: 0)
            }
        }
    }
}

/// As CKA_CLASS.
package enum TokenObjectClass: UInt8, Sendable { case publicKey = 2, privateKey = 3 }

/// An answer of `eosvault-token`: the bytes that a request asks for, or a failure.
package enum TokenAnswer: Equatable, Sendable {
    case done([UInt8])
    /// A call of the module failed with a value of PKCS#11 or of `CToken`.
    case failed(call: String, code: UInt64, detail: String)
    /// The process of the channel did not answer in time and was killed.
    case timedOut
    /// The process of the channel ended: the number of a signal, or 0.
    case ended(signal: UInt8)

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        switch self {
        case .done(let bytes):
            writer.write(byte: 0)
            writer.write(bytes: bytes)
        case .failed(let call, let code, let detail):
            writer.write(byte: 1)
            writer.write(integer: code)
            writer.write(prefixed: Array(call.utf8))
            writer.write(prefixed: Array(detail.utf8))
        case .timedOut: writer.write(byte: 2)
        case .ended(let signal):
            writer.write(byte: 3)
            writer.write(byte: signal)
        }
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(CodecError) {
        self = try ByteReader.readAll(bytes) { reader throws(CodecError) in
            switch try reader.readByte() {
            case 0: return .done(try reader.readBytes(reader.remaining))
            case 1:
                let code: UInt64 = try reader.readInteger()
                let call = String(decoding: try reader.readPrefixedBytes(), as: UTF8.self)
                let detail = String(decoding: try reader.readPrefixedBytes(), as: UTF8.self)
                return .failed(call: call, code: code, detail: detail)
            case 2: return .timedOut
            case 3: return .ended(signal: try reader.readByte())
            default: throw .invalidVaruint(offset: 0)
            }
        }
    }
}

/// Codes of answers for a module that is not loaded. `CToken` has the codes before them.
package enum TokenProblemCode {
    package static let relative: UInt64 = 0x7fff_0010
    /// The detail is the number of the system's error.
    package static let missing: UInt64 = 0x7fff_0011
    /// The detail is the path.
    package static let writable: UInt64 = 0x7fff_0012
    /// The detail is the path.
    package static let notNamed: UInt64 = 0x7fff_0013
}

extension ByteWriter {
    fileprivate mutating func write(optional bytes: [UInt8]?) {
        write(byte: bytes == nil ? 0 : 1)
        if let bytes { write(prefixed: bytes) }
    }
}

extension ByteReader {
    fileprivate mutating func readFlag() throws(CodecError) -> Bool {
        let start = offset
        let byte = try readByte()
        guard byte <= 1 else { throw .invalidVaruint(offset: start) }
        return byte == 1
    }

    fileprivate mutating func readCurve() throws(CodecError) -> Curve {
        let start = offset
        guard let curve = Curve(rawValue: try readByte()) else { throw .invalidVaruint(offset: start) }
        return curve
    }

    fileprivate mutating func readOptional() throws(CodecError) -> [UInt8]? {
        try readFlag() ? try readPrefixedBytes() : nil
    }
}
