import Codecs
import JSON
import Keys
import SecureMemory

/// A backup of Anchor. The encrypted text `storage.data.data` is a list of
/// `{"key":"5…","pubkey":"EOS…"}`. A backup of version 1 has no storage: the text of each wallet,
/// `wallets[i].data.data`, is a WIF.
///
/// Nothing authenticates the text. Without JSON that has the right form, the password was wrong, or
/// the file is damaged.
struct AnchorBackup {
    private static let storageSchema = Array("anchor.v2.storage".utf8)
    private static let firstSchema = Array("anchor.v1.wallet".utf8)
    private static let place = JSONPlace.outside(.anchor)

    /// An account, or for version 1 an encrypted key.
    private struct Wallet {
        var schema: [UInt8] = []
        var account: [UInt8] = []
        var authority: [UInt8] = []
        var mode: [UInt8] = []
        var publicKey: [UInt8] = []
        var path: [UInt8]?
        var text: [UInt8]?
    }

    private var hasStorage = false
    private var schema: [UInt8] = []
    private var text: [UInt8]?
    /// Public keys of devices, and their paths.
    private var paths: [(key: [UInt8], path: [UInt8])] = []
    private var wallets: [Wallet] = []

    static func read(_ file: RawSpan, password: borrowing SecureBytes) throws(WalletError) -> WalletFile {
        var backup = AnchorBackup()
        try place.read(file) { reader throws(WalletError) in
            _ = try reader.members(["storage", "wallets"], of: nil, place) {
                reader, index throws(WalletError) in
                guard try reader.kind(place) != .null else { return try reader.skip(place) }
                if index == 0 { try backup.readStorage(&reader) } else { try backup.readWallets(&reader) }
            }
        }
        return try backup.keys(password: password)
    }

    // MARK: the public part

    private mutating func readStorage(_ reader: inout JSONReader) throws(WalletError) {
        let place = Self.place
        hasStorage = true
        try reader.members(["schema", "data"], of: "storage", place) { reader, index throws(WalletError) in
            guard index == 1 else { return schema = try reader.publicText("storage.schema", place) }
            try reader.members(["data", "paths"], of: "storage.data", place) {
                reader, index throws(WalletError) in
                guard try reader.kind(place) != .null else { return try reader.skip(place) }
                if index == 0 {
                    text = try reader.publicText("storage.data.data", place)
                } else {
                    paths = try reader.publicMembers(of: "storage.data.paths", place)
                }
            }
        }
    }

    private mutating func readWallets(_ reader: inout JSONReader) throws(WalletError) {
        let place = Self.place
        let names: [StaticString] = ["account", "authority", "mode", "pubkey", "path", "data"]
        try reader.elements(of: "wallets", place) { reader throws(WalletError) in
            guard wallets.count < WalletLimits.keyCount else { throw .limit(.keyCount) }
            var wallet = Wallet()
            try reader.members(["schema", "data"], of: "wallets", place) {
                reader, index throws(WalletError) in
                guard index == 1 else { return wallet.schema = try reader.publicText("schema", place) }
                try reader.members(names, of: "wallets.data", place) { reader, index throws(WalletError) in
                    guard try reader.kind(place) == .string else { return try reader.skip(place) }
                    let text = try reader.publicText(names[index].description, place)
                    switch index {
                    case 0: wallet.account = text
                    case 1: wallet.authority = text
                    case 2: wallet.mode = text
                    case 3: wallet.publicKey = text
                    case 4: wallet.path = text
                    default: wallet.text = text
                    }
                }
            }
            wallets.append(wallet)
        }
    }

    // MARK: the keys

    private func keys(password: borrowing SecureBytes) throws(WalletError) -> WalletFile {
        guard !hasStorage || schema == Self.storageSchema else {
            throw .unsupported(.version(String(decoding: schema.prefix(64), as: UTF8.self)))
        }
        var keys = try KeyCollector(capacity: 16)
        let first = wallets.filter { $0.schema == Self.firstSchema && $0.text?.isEmpty == false }
        if let text {
            let plain = try AnchorText(text, member: "storage.data.data").decrypt(password: password)
            try plain.withBytes { plain throws(WalletError) in try Self.add(plain, to: &keys) }
        } else {
            guard !first.isEmpty else { throw .form(.anchor, .noKeys) }
            try Self.add(first, password: password, to: &keys)
        }
        for (key, path) in paths { try Self.add(device: key, path: path, to: &keys) }
        for wallet in wallets where wallet.mode == Array("ledger".utf8) {
            try Self.add(device: wallet.publicKey, path: wallet.path, to: &keys)
        }
        return keys.finish(labels: try labels())
    }

    static func keys(in list: RawSpan) throws(WalletError) -> WalletFile {
        var keys = try KeyCollector(capacity: 16)
        try add(list, to: &keys)
        return keys.finish()
    }

    /// The list of the storage.
    private static func add(_ list: RawSpan, to keys: inout KeyCollector) throws(WalletError) {
        var texts = KeyTexts()
        let place = JSONPlace.inside(.anchor)
        var number = 0
        do throws(WalletError) {
            try place.read(list) { reader throws(WalletError) in
                try reader.elements(of: "", place) { reader throws(WalletError) in
                    number += 1
                    var key: SecureBytes?
                    var publicKey: [UInt8]?
                    try reader.members(["key", "pubkey"], of: "", place) {
                        reader, index throws(WalletError) in
                        if index == 0 {
                            let token = try reader.string("key", place)
                            key = try reader.secret(token)
                        } else {
                            publicKey = try reader.publicText("pubkey", place)
                        }
                    }
                    guard let key = key.take(), let publicKey else { throw place.missing("key") }
                    try add(key, publicKey, number: number, to: &keys, &texts)
                }
            }
        } catch .contents { throw .wrongPassword(.anchor) }
    }

    /// The wallets of version 1.
    private static func add(
        _ wallets: [Wallet], password: borrowing SecureBytes, to keys: inout KeyCollector
    ) throws(WalletError) {
        guard wallets.count <= WalletLimits.derivationCount else { throw .limit(.derivationCount) }
        var texts = KeyTexts()
        for (index, wallet) in wallets.enumerated() {
            let text = try AnchorText(wallet.text ?? [], member: "wallets.data.data")
            let plain = try text.decrypt(password: password)
            do throws(WalletError) {
                try add(plain, wallet.publicKey, number: index + 1, to: &keys, &texts)
            } catch .key(_, .privateKey) { throw .wrongPassword(.anchor) }
        }
    }

    private static func add(
        _ text: borrowing SecureBytes, _ publicKey: [UInt8], number: Int, to keys: inout KeyCollector,
        _ texts: inout KeyTexts
    ) throws(WalletError) {
        let key = try text.withBytes { text throws(WalletError) in
            try texts.privateKey(text, number: number)
        }
        let expected = try publicKey.lend { text throws(WalletError) in
            try KeyTexts.publicKey(text, number: number, anyPrefix: true)
        }
        guard key.publicKey == expected else { throw .key(number: number, .mismatch) }
        try keys.add(key, label: nil)
        texts.reuse(key)
    }

    private static func add(
        device key: [UInt8], path: [UInt8]?, to keys: inout KeyCollector
    ) throws(WalletError) {
        guard !key.isEmpty else { return }
        let publicKey = try key.lend { text throws(WalletError) in
            try KeyTexts.publicKey(text, number: 1, anyPrefix: true)
        }
        keys.add(
            watchOnly: WalletSummary.WatchOnly(
                publicKey: publicKey, path: path.map { WalletLabel.text($0) }))
    }

    /// The accounts of the keys.
    private func labels() throws(WalletError) -> [PublicKey: String] {
        var labels: [PublicKey: String] = [:]
        for wallet in wallets {
            // A key that is not in the list needs no label.
            let key = try? wallet.publicKey.lend { text throws(WalletError) in
                try KeyTexts.publicKey(text, number: 1, anyPrefix: true)
            }
            guard let key, labels[key] == nil else { continue }
            labels[key] = WalletLabel.account(wallet.account, wallet.authority)
        }
        return labels
    }
}
