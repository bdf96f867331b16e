import Codecs
import JSON
import Keys
import SecureMemory

/// A vault of eosc (github.com/eoscanada/eosc, `vault`): JSON with `secretbox_wrap` and
/// `secretbox_ciphertext`, base64 without padding. For the wrap `passphrase`, its bytes are:
///
///     16 bytes  salt
///     24 bytes  nonce
///     rest      secretbox of NaCl
///
/// The key is Argon2id of the passphrase: 4 passes, 64 MiB, 4 lanes. The plaintext is
/// `{"keys":["5…"]}`. `kind`, `version` and `comment` are ignored, as eosc does.
enum EoscVault {
    private static let members: [StaticString] = ["secretbox_wrap", "secretbox_ciphertext"]
    private static let saltSize = 16
    private static let headSize = saltSize + SecretBox.nonceSize
    /// eosc can't store an R1 key, and writes this.
    private static let placeholder: StaticString = "PVT_R1_PLACE_HOLDER"

    static func read(_ file: RawSpan, password: borrowing SecureBytes) throws(WalletError) -> WalletFile {
        let place = JSONPlace.outside(.eosc)
        let texts = try place.read(file) { reader throws(WalletError) in
            try reader.publicTexts(members, place)
        }
        guard let wrap = texts[0] else { throw place.missing(members[0].description) }
        guard wrap == Array("passphrase".utf8) else {
            throw .unsupported(.wrap(String(decoding: wrap.prefix(64), as: UTF8.self)))
        }
        guard let text = texts[1] else { throw place.missing(members[1].description) }
        let sealed = try bytes(of: text)
        let plain = try sealed.lend { sealed throws(WalletError) in
            let salt = sealed.extracting(0..<saltSize)
            let key = try password.withBytes { password throws(WalletError) in
                try Derivation.argon2id(password, salt: salt, passes: 4, kibibytes: 64 << 10, lanes: 4)
            }
            return try SecretBox.open(
                sealed.extracting(headSize..<sealed.byteCount),
                nonce: sealed.extracting(saltSize..<headSize), key: key)
        }
        guard let plain else { throw .wrongPassword(.eosc) }
        return try plain.withBytes { plain throws(WalletError) in try keys(in: plain) }
    }

    private static func bytes(of text: [UInt8]) throws(WalletError) -> [UInt8] {
        let name = members[1].description
        if let padding = text.firstIndex(of: UInt8(ascii: "=")) {
            throw .form(.eosc, .base64(member: name, .invalidBase64Character(offset: padding)))
        }
        let sealed: [UInt8]
        do { sealed = try Base64.decode(utf8: text) } catch {
            throw .form(.eosc, .base64(member: name, error))
        }
        guard sealed.count >= headSize + SecretBox.tagSize else {
            throw .form(.eosc, .wrongLength(bytes: sealed.count))
        }
        return sealed
    }

    static func keys(in plain: RawSpan) throws(WalletError) -> WalletFile {
        let place = JSONPlace.inside(.eosc)
        var keys = try KeyCollector(capacity: 16)
        var texts = KeyTexts()
        try place.read(plain) { reader throws(WalletError) in
            let found = try reader.members(["keys"], of: nil, place) { reader, _ throws(WalletError) in
                // An empty list of Go.
                guard try reader.kind(place) != .null else { return try reader.skip(place) }
                var number = 0
                try reader.elements(of: "keys", place) { reader throws(WalletError) in
                    number += 1
                    try add(&reader, number, to: &keys, &texts)
                }
            }
            guard !found.isEmpty else { throw place.missing("keys") }
        }
        return keys.finish()
    }

    private static func add(
        _ reader: inout JSONReader, _ number: Int, to keys: inout KeyCollector, _ texts: inout KeyTexts
    ) throws(WalletError) {
        let token = try reader.string("keys", .inside(.eosc))
        let text = try reader.secret(token)
        let isLost = text.withBytes { text in
            text.byteCount == placeholder.utf8CodeUnitCount && text.starts(with: placeholder.description)
        }
        guard !isLost else {
            return keys.add(
                refused: WalletSummary.Refused(
                    position: number, publicKey: nil, label: nil, reason: .lostR1Key))
        }
        let key = try text.withBytes { text throws(WalletError) in
            try texts.privateKey(text, number: number)
        }
        try keys.add(key, label: nil)
        texts.reuse(key)
    }
}
