import JSON

/// A key pair of a keychain of Scatter.
struct ScatterKeyPair {
    private(set) var name: [UInt8] = []
    /// The text of a box.
    private(set) var privateKey: [UInt8] = []
    /// The public key for Antelope chains; nil for a pair of other chains.
    private(set) var publicKey: [UInt8]?
    /// True for a key of a device.
    private(set) var isExternal = false
    /// The last number of the path in the device.
    private(set) var addressIndex: UInt32?

    init(from reader: inout JSONReader, _ place: JSONPlace) throws(WalletError) {
        let names: [StaticString] = ["name", "privateKey", "publicKeys", "external"]
        var pair = Self()
        try reader.members(names, of: "keypairs", place) { reader, index throws(WalletError) in
            switch index {
            case 0, 1:
                guard try reader.kind(place) == .string else { return try reader.skip(place) }
                let text = try reader.publicText(names[index].description, place)
                if index == 0 { pair.name = text } else { pair.privateKey = text }
            case 2:
                try reader.elements(of: "publicKeys", place) { reader throws(WalletError) in
                    try pair.readPublicKey(&reader, place)
                }
            default:
                guard try reader.kind(place) != .null else { return try reader.skip(place) }
                pair.isExternal = true
                try pair.readDevice(&reader, place)
            }
        }
        self = pair
    }

    private init() {}

    private mutating func readPublicKey(
        _ reader: inout JSONReader, _ place: JSONPlace
    ) throws(WalletError) {
        let names: [StaticString] = ["blockchain", "key"]
        var texts: [[UInt8]?] = [nil, nil]
        try reader.members(names, of: "publicKeys", place) { reader, index throws(WalletError) in
            texts[index] = try reader.publicText(names[index].description, place)
        }
        if texts[0] == Array("eos".utf8), publicKey == nil { publicKey = texts[1] }
    }

    private mutating func readDevice(_ reader: inout JSONReader, _ place: JSONPlace) throws(WalletError) {
        try reader.members(["addressIndex"], of: "external", place) { reader, _ throws(WalletError) in
            guard try reader.kind(place) == .number else { return try reader.skip(place) }
            let token = try reader.at(place) { reader throws(JSONError) in try reader.readNumber() }
            addressIndex = UInt32(reader.text(of: token))
        }
    }
}
