import Codecs
import JSON
import Keys
import SecureMemory

/// A backup of Scatter Desktop (github.com/GetScatter/ScatterDesktop, BackupService.js): a box,
/// `|SLT|`, and a salt. The browser extension wrote `|SSLT|`.
///
/// The password and the salt give a seed text, and all boxes are encrypted under it, in three
/// layers: the file; its member `keychain`, a text that is a box; and `privateKey` of each key
/// pair, a text that is a box.
struct ScatterBackup: ~Copyable {
    private static let separators = ["|SLT|", "|SSLT|"]
    private static let plainSalt = "SALT_ME"
    private static let inside = JSONPlace.inside(.scatter)

    private var boxes: ScatterBoxes
    private var keys: KeyCollector
    private var texts: KeyTexts
    private var labels: [PublicKey: String] = [:]
    private var pairs: [ScatterKeyPair] = []

    static func read(_ file: RawSpan, password: borrowing SecureBytes) throws(WalletError) -> WalletFile {
        let end = file.countWithoutLineEnding
        guard let bar = file.firstOffset(ofSeparator: UInt8(ascii: "|"), in: 0..<end),
            let separator = separators.first(where: { file.extracting(bar..<end).starts(with: $0) })
        else { throw .form(.scatter, .missingPart(separators[0])) }
        let salt = file.extracting((bar + separator.utf8.count)..<end)
        guard isSalt(salt) else { throw .form(.scatter, .missingPart("salt")) }
        let box = try ScatterBox(file.extracting(0..<bar), .outside(.scatter))
        var backup = try ScatterBackup(try ScatterBoxes(password: password, salt: salt))
        let plain = try backup.boxes.open(box)
        try plain.withBytes { plain throws(WalletError) in try backup.readFile(plain) }
        return try backup.finish()
    }

    static func keys(
        in plain: RawSpan, seedText: borrowing SecureBytes
    ) throws(WalletError) -> WalletFile {
        var backup = try ScatterBackup(try ScatterBoxes(seedText: seedText))
        try backup.readFile(plain)
        return try backup.finish()
    }

    private init(_ boxes: consuming ScatterBoxes) throws(WalletError) {
        let keys = try KeyCollector(capacity: 16)
        let texts = KeyTexts()
        self.boxes = boxes
        self.keys = keys
        self.texts = texts
    }

    /// 64 hex digits, or the salt of a Scatter that never had one.
    private static func isSalt(_ salt: RawSpan) -> Bool {
        if salt.byteCount == plainSalt.utf8.count { return salt.starts(with: plainSalt) }
        return salt.byteCount == 64
            && (0..<64).allSatisfy { Hex.value(of: salt[byte: $0]) != nil }
    }

    // MARK: the layers

    private mutating func readFile(_ plain: RawSpan) throws(WalletError) {
        let place = Self.inside
        var keychain: SecureBytes?
        var isRead = false
        try place.read(plain) { reader throws(WalletError) in
            _ = try reader.members(["keychain"], of: nil, place) { reader, _ throws(WalletError) in
                // The extension did not encrypt it again.
                if try reader.kind(place) == .object {
                    isRead = true
                    return try readKeychain(&reader)
                }
                let token = try reader.string("keychain", place)
                keychain = try reader.secret(token)
            }
        }
        guard let box = keychain.take() else {
            guard isRead else { throw place.missing("keychain") }
            return
        }
        let opened = try boxes.open(
            try box.withBytes { box throws(WalletError) in try ScatterBox(box, place) })
        try opened.withBytes { plain throws(WalletError) in
            try place.read(plain) { reader throws(WalletError) in try readKeychain(&reader) }
        }
    }

    private mutating func readKeychain(_ reader: inout JSONReader) throws(WalletError) {
        let place = Self.inside
        let names: [StaticString] = ["keypairs", "accounts"]
        let found = try reader.members(names, of: "keychain", place) { reader, index throws(WalletError) in
            try reader.elements(of: names[index].description, place) { reader throws(WalletError) in
                if index == 0 {
                    guard pairs.count < WalletLimits.keyCount else { throw .limit(.keyCount) }
                    pairs.append(try ScatterKeyPair(from: &reader, place))
                } else {
                    try readAccount(&reader)
                }
            }
        }
        guard found.contains(0) else { throw place.missing("keypairs") }
    }

    private mutating func readAccount(_ reader: inout JSONReader) throws(WalletError) {
        let names: [StaticString] = ["publicKey", "name", "authority"]
        var texts = [[UInt8]](repeating: [], count: names.count)
        try reader.members(names, of: "accounts", Self.inside) { reader, index throws(WalletError) in
            guard try reader.kind(Self.inside) == .string else { return try reader.skip(Self.inside) }
            texts[index] = try reader.publicText(names[index].description, Self.inside)
        }
        // An account of another chain, or without a key, names no key of this one.
        let key = try? texts[0].lend { text throws(WalletError) in try KeyTexts.publicKey(text, number: 1) }
        guard let key, labels[key] == nil else { return }
        labels[key] = WalletLabel.account(texts[1], texts[2])
    }

    // MARK: the keys

    private consuming func finish() throws(WalletError) -> WalletFile {
        for (index, pair) in pairs.enumerated() { try add(pair, number: index + 1) }
        let labels = labels
        return keys.finish(labels: labels)
    }

    private mutating func add(_ pair: ScatterKeyPair, number: Int) throws(WalletError) {
        guard let text = pair.publicKey else { return keys.addForeign() }
        let publicKey = try text.lend { text throws(WalletError) in
            try KeyTexts.publicKey(text, number: number)
        }
        guard !pair.isExternal else {
            return keys.add(
                watchOnly: WalletSummary.WatchOnly(
                    publicKey: publicKey, path: pair.addressIndex.map { "44'/194'/0'/0/\($0)" }))
        }
        let plain = try boxes.open(
            try pair.privateKey.lend { box throws(WalletError) in try ScatterBox(box, Self.inside) })
        let key = try plain.withBytes { plain throws(WalletError) in
            try privateKey(plain, number: number)
        }
        guard key.publicKey == publicKey else { throw .key(number: number, .mismatch) }
        try keys.add(key, label: pair.name.isEmpty ? nil : WalletLabel.text(pair.name))
    }

    /// `{"type":"Buffer","data":[32 numbers]}`, the list alone, or a WIF.
    private mutating func privateKey(_ plain: RawSpan, number: Int) throws(WalletError) -> PrivateKey {
        let place = Self.inside
        guard plain.starts(with: "{") || plain.starts(with: "[") else {
            return try texts.privateKey(plain, number: number)
        }
        var scalar = try SecureBytes.forWallet(count: PrivateKey.size)
        var count: Int?
        try place.read(plain) { reader throws(WalletError) in
            if try reader.kind(place) == .array {
                count = try Self.readBytes(&reader, into: &scalar)
            } else {
                try reader.members(["data"], of: nil, place) { reader, _ throws(WalletError) in
                    count = try Self.readBytes(&reader, into: &scalar)
                }
            }
        }
        guard count == PrivateKey.size else {
            throw .key(number: number, .scalar(.wrongLength(expected: PrivateKey.size)))
        }
        return try PrivateKey.decrypted(.k1, scalar, number: number)
    }

    /// - Returns: the number of elements.
    private static func readBytes(
        _ reader: inout JSONReader, into scalar: inout SecureBytes
    ) throws(WalletError) -> Int {
        var count = 0
        try reader.elements(of: "data", inside) { reader throws(WalletError) in
            guard try reader.kind(inside) == .number else { throw inside.wrong("data") }
            let token = try reader.at(inside) { reader throws(JSONError) in try reader.readNumber() }
            let value = reader.withBytes(of: token) { Self.byte($0) }
            guard let value else { throw inside.wrong("data") }
            if count < scalar.count {
                let index = count
                scalar.withMutableBytes { $0[byte: index] = value }
            }
            count += 1
        }
        return count
    }

    /// A number from 0 to 255 in decimal digits.
    private static func byte(_ digits: Span<UInt8>) -> UInt8? {
        guard digits.count <= 3 else { return nil }
        var (value, fault) = (0 as UInt32, 0 as UInt32)
        for index in digits.indices {
            let digit = UInt32(digits[index]) &- 0x30
            fault |= digit | (9 &- digit)
            value = value &* 10 &+ digit
        }
        fault |= 255 &- value
        return fault >> 31 == 0 ? UInt8(truncatingIfNeeded: value) : nil
    }
}
