import Codecs

/// A token that is present, as its module describes it.
package struct TokenFacts: Equatable, Sendable {
    package let slot: UInt64
    package let label: String
    package let manufacturer: String
    package let model: String
    package let serial: String
    /// CK_TOKEN_INFO.flags.
    package let flags: UInt64
    /// True if it signs with CKM_ECDSA.
    package let signs: Bool
    /// True if it makes keys of elliptic curves.
    package let makesKeys: Bool

    package init(
        slot: UInt64, label: String, manufacturer: String, model: String, serial: String, flags: UInt64,
        signs: Bool, makesKeys: Bool
    ) {
        (self.slot, self.label, self.manufacturer, self.model) = (slot, label, manufacturer, model)
        (self.serial, self.flags, self.signs, self.makesKeys) = (serial, flags, signs, makesKeys)
    }

    package var needsLogin: Bool { flags & 0x4 != 0 }
    /// The PIN is typed on the device.
    package var hasKeypad: Bool { flags & 0x100 != 0 }
    package var isInitialised: Bool { flags & 0x400 != 0 }

    package enum Tries: Equatable, Sendable { case all, few, one, locked }
    /// How many wrong PINs the token still accepts, as far as it says.
    package var tries: Tries {
        flags & 0x40000 != 0 ? .locked : flags & 0x20000 != 0 ? .one : flags & 0x10000 != 0 ? .few : .all
    }

    /// True if the token has the attributes of the URI.
    package func matches(_ uri: TokenURI) -> Bool {
        func fits(_ wanted: String?, _ value: String) -> Bool {
            wanted.map { $0.utf8.elementsEqual(value.utf8) } ?? true
        }
        return fits(uri.token, label) && fits(uri.serial, serial) && fits(uri.manufacturer, manufacturer)
            && fits(uri.model, model) && (uri.slotID.map { $0 == slot } ?? true)
    }

    /// The URI that identifies this token. Slots can have other numbers later.
    package func uri(module: String) -> TokenURI {
        var uri = TokenURI()
        func given(_ text: String) -> String? { text.isEmpty ? nil : text }
        (uri.token, uri.serial) = (given(label), given(serial))
        (uri.manufacturer, uri.model, uri.modulePath) = (given(manufacturer), given(model), module)
        return uri
    }

    package static func bytes(of tokens: [TokenFacts]) -> [UInt8] {
        var writer = ByteWriter()
        writer.write(varuint32: UInt32(tokens.count))
        for token in tokens {
            writer.write(integer: token.slot)
            for text in [token.label, token.manufacturer, token.model, token.serial] {
                writer.write(prefixed: Array(text.utf8))
            }
            writer.write(integer: token.flags)
            writer.write(byte: (token.signs ? 1 : 0) | (token.makesKeys ? 2 : 0))
        }
        return writer.bytes
    }

    package static func all(in bytes: [UInt8]) throws(CodecError) -> [TokenFacts] {
        try ByteReader.readAll(bytes) { reader throws(CodecError) in
            var tokens: [TokenFacts] = []
            for _ in 0..<(try reader.readVaruint32()) {
                let slot: UInt64 = try reader.readInteger()
                var texts: [String] = []
                for _ in 0..<4 { texts.append(Self.text(try reader.readPrefixedBytes())) }
                let flags: UInt64 = try reader.readInteger()
                let mechanisms = try reader.readByte()
                tokens.append(
                    TokenFacts(
                        slot: slot, label: texts[0], manufacturer: texts[1], model: texts[2],
                        serial: texts[3],
                        flags: flags, signs: mechanisms & 1 != 0, makesKeys: mechanisms & 2 != 0))
            }
            return tokens
        }
    }

    /// Text of a token without control characters, which could change a terminal.
    private static func text(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        return String(
            String.UnicodeScalarView(
                text.unicodeScalars.map { $0.properties.generalCategory == .control ? "\u{fffd}" : $0 }))
    }
}

/// A key object of a token, as its module describes it.
package struct TokenObject: Equatable, Sendable {
    package let id: [UInt8]
    package let label: [UInt8]
    /// CKA_EC_PARAMS and CKA_EC_POINT; empty if the object does not have it.
    package let parameters: [UInt8]
    package let point: [UInt8]
    /// CKA_SENSITIVE and CKA_EXTRACTABLE; nil if the object does not have the attribute.
    package let isSensitive: Bool?
    package let isExtractable: Bool?
    /// CKA_ALWAYS_AUTHENTICATE: each signature needs the PIN.
    package let needsPINForEach: Bool?

    package init(
        id: [UInt8], label: [UInt8], parameters: [UInt8], point: [UInt8], isSensitive: Bool?,
        isExtractable: Bool?, needsPINForEach: Bool?
    ) {
        (self.id, self.label, self.parameters, self.point) = (id, label, parameters, point)
        (self.isSensitive, self.isExtractable) = (isSensitive, isExtractable)
        self.needsPINForEach = needsPINForEach
    }

    package var bytes: [UInt8] {
        var writer = ByteWriter()
        for part in [id, label, parameters, point] { writer.write(prefixed: part) }
        for flag in [isSensitive, isExtractable, needsPINForEach] {
            writer.write(byte: flag.map { $0 ? 1 : 0 } ?? 2)
        }
        return writer.bytes
    }

    package init(_ bytes: [UInt8]) throws(CodecError) {
        self = try ByteReader.readAll(bytes) { reader throws(CodecError) in
            var parts: [[UInt8]] = []
            for _ in 0..<4 { parts.append(try reader.readPrefixedBytes()) }
            var flags: [Bool?] = []
            for _ in 0..<3 {
                let byte = try reader.readByte()
                flags.append(byte == 2 ? nil : byte == 1)
            }
            return TokenObject(
                id: parts[0], label: parts[1], parameters: parts[2], point: parts[3], isSensitive: flags[0],
                isExtractable: flags[1], needsPINForEach: flags[2])
        }
    }
}
