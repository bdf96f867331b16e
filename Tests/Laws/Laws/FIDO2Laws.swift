import FIDO2

/// Packed credentials of authenticators have one form.
public enum FIDO2CredentialLaw: Law {
    public static let name = "FIDO2Credential"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let packed = try [1, 2, 48, 64, 127, 128, 255, 256, 1_022, 1_023].map { count in
            try FIDO2Credential(
                id: [UInt8](repeating: 1, count: count), publicKey: [UInt8](repeating: 2, count: 64),
                salt: [UInt8](repeating: 3, count: 32), aaguid: [UInt8](repeating: 4, count: 16)
            ).packed
        }
        return packed + [[], [0], Array(packed[0].dropLast()), packed[0] + [0]]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        guard let credential = try? FIDO2Credential(packed: input) else { return }
        try law(credential.packed == input, "a credential is written as it was read")
        try law((1...1_023).contains(credential.id.count), "an id has 1 to 1,023 bytes")
        try law(credential.publicKey.count == 64 && credential.salt.count == 32, "the parts have one length")
    }
}

/// Answers of an authenticator. The first byte selects the parser: any CBOR, the facts, the key of
/// an agreement, a new credential, an assertion, numbers and tokens, a report descriptor.
public enum FIDO2AnswerLaw: Law {
    public static let name = "FIDO2Answer"

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let (point, digest) = ([UInt8](repeating: 1, count: 32), [UInt8](repeating: 2, count: 32))
        func key(_ algorithm: UInt64) -> CBORValue {
            map([
                (.unsigned(1), .unsigned(2)), (.unsigned(3), .negative(algorithm)),
                (.negative(0), .unsigned(1)), (.negative(1), .bytes(point)), (.negative(2), .bytes(point)),
            ])
        }
        let facts = map([
            (.unsigned(1), .array([.text("FIDO_2_1")])),
            (.unsigned(2), .array([.text("credProtect"), .text("hmac-secret")])),
            (.unsigned(3), .bytes(Array(point.prefix(16)))),
            (.unsigned(4), map([(.text("uv"), .bool(true)), (.text("clientPin"), .bool(false))])),
            (.unsigned(5), .unsigned(1_200)), (.unsigned(6), .array([.unsigned(2), .unsigned(1)])),
            (.unsigned(8), .unsigned(128)), (.unsigned(12), .bool(false)), (.unsigned(13), .unsigned(6)),
        ])
        let outputs = map([(.text("hmac-secret"), .bytes(digest))])
        let start = digest + [0x85, 0, 0, 0, 1]
        let made =
            digest + [0xc5, 0, 0, 0, 1] + point.prefix(16) + [0, 4, 9, 9, 9, 9] + key(6).encoded
            + map([(.text("credProtect"), .unsigned(3)), (.text("hmac-secret"), .bool(true))]).encoded
        func answer(_ data: [UInt8], _ first: CBORValue) -> CBORValue {
            map([(.unsigned(1), first), (.unsigned(2), .bytes(data)), (.unsigned(3), .bytes(digest))])
        }
        let credential = map([(.text("id"), .bytes([9])), (.text("type"), .text("public-key"))])
        let values: [(UInt8, CBORValue)] = [
            (0, facts), (1, facts), (2, map([(.unsigned(1), key(24))])), (3, answer(made, .text("packed"))),
            (4, answer(start + outputs.encoded, credential)), (5, map([(.unsigned(3), .unsigned(8))])),
            (5, map([(.unsigned(2), .bytes(digest))])), (0, .array([.array([.array([.array([])])])])),
        ]
        let descriptor: [UInt8] = [6, 0x06, 0xd0, 0xf1, 0x09, 0x01, 0xa1, 0x01, 0x09, 0x20, 0xc0]
        return values.map { [$0] + $1.encoded } + [
            descriptor, [0, 0xbf, 0xff], [0, 0x1b] + digest.prefix(8),
        ]
    }

    private static func map(_ members: [(CBORValue, CBORValue)]) -> CBORValue {
        .map(members.map { CBORValue.Entry($0, $1) })
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        let bytes = Array(input.dropFirst())
        switch input.first {
        case 0:
            guard let value = CBORValue(bytes) else { return }
            try law(value.encoded.count == bytes.count, "a value has one length")
            let again = CBORValue(value.encoded)
            try law(again?.encoded == value.encoded, "a written value is read again")
            try law(CBORValue(bytes + [0]) == nil, "nothing follows a value")
        case 1:
            guard let facts = FIDO2Facts(bytes) else { return }
            try law(facts.aaguid.count == 16, "a model has 16 bytes")
            try law(!facts.hasPIN || facts.canSetPIN, "only an authenticator with PINs has one")
        case 2:
            guard let point = CTAPAnswer.keyAgreement(bytes) else { return }
            try law(point.count == 64, "a point has 64 bytes")
            _ = FIDO2Secrets.isPoint(point)
        case 3:
            guard let data = CTAPAnswer.made(bytes) else { return }
            try law((data.flags & 0x40 != 0) == (data.made != nil), "a flag announces the credential")
            guard let made = data.made else { return }
            let credential = try must("a new credential is valid") {
                try FIDO2Credential(
                    id: made.id, publicKey: made.publicKey, salt: [UInt8](repeating: 0, count: 32),
                    aaguid: made.aaguid)
            }
            try FIDO2CredentialLaw.check(credential.packed)
        case 4:
            guard let assertion = CTAPAnswer.assertion(bytes) else { return }
            try law(assertion.data == AuthenticatorData(assertion.signed), "the signed bytes are the data")
            try law(!(assertion.signed.count < 37), "the data have 37 bytes or more")
        case 5:
            let tries = [3, 5].map { CTAPAnswer.tries(bytes, member: $0) ?? 0 }
            try law(tries.allSatisfy { (0...255).contains($0) }, "the tries are a byte")
            _ = CTAPAnswer.token(bytes)
        default: _ = FIDO2Listing.isAuthenticator(bytes)
        }
    }
}

/// Packets of CTAPHID: an input is a sequence of packets of 64 bytes, any of which may be of
/// another channel.
public enum FIDO2PacketLaw: Law {
    public static let name = "FIDO2Packet"
    private static let channel: UInt32 = 0x0102_0304

    public static func seeds(_ vectors: Vectors) throws -> [[UInt8]] {
        let messages = [0, 1, 17, 57, 58, 116, 117, 600, 2_048].map { [UInt8](repeating: 0xa5, count: $0) }
        let whole = messages.map { message in
            CTAPPacket.packets(channel: channel, command: 0x10, message: message).flatMap(\.self)
        }
        let keepalive = CTAPPacket.packets(channel: channel, command: 0x3b, message: [2])[0]
        let foreign = CTAPPacket.packets(channel: 7, command: 0x10, message: [0])[0]
        let packets = CTAPPacket.packets(channel: channel, command: 0x10, message: messages[7])
        return whole + [
            keepalive + keepalive + whole[3], foreign + whole[4], whole[4] + whole[5],
            packets.reversed().flatMap(\.self), packets[0] + packets[2],
        ]
    }

    public static func check(_ input: [UInt8]) throws(LawBroken) {
        var assembler = CTAPAssembler(channel: channel)
        for start in stride(from: 0, to: input.count, by: CTAPPacket.count) {
            let packet = Array(input[start...].prefix(CTAPPacket.count))
            guard case .message(let command, let message) = assembler.take(packet) else { continue }
            try law(message.count <= CTAPPacket.messageLimit, "a message has at most 2,048 bytes")
            // The message is sent again in packets, and joined to the same one.
            var other = CTAPAssembler(channel: channel)
            var last = CTAPAssembler.Step.incomplete
            for packet in CTAPPacket.packets(channel: channel, command: command, message: message) {
                try law(last == .incomplete, "a message ends with its last packet")
                last = other.take(packet)
            }
            try law(last == .message(command: command, message), "a message is joined again")
        }
    }
}
