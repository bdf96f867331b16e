import AirGap
import KeyVault
import Keys
import Shell
import SigningRequests

/// What QR codes show: a text if it fits one code, or else a message in parts.
struct QRContent {
    /// The text of a single code.
    let text: String
    /// nil for a text that is not shown in parts.
    let message: UniformResource?

    /// A message. Upper-case letters take fewer modules.
    init(_ message: AirGapMessage) throws { try self.init(message) { $0.text.uppercased() } }

    private init(_ message: AirGapMessage, text: (UniformResource) -> String) throws {
        let resource: UniformResource
        do throws(AirGapError) { resource = try message.resource() } catch { throw CommandError.qrTooLong }
        (self.message, self.text) = (resource, text(resource))
    }

    /// A signing request as its link, which wallets read.
    init(_ link: RequestLink) throws {
        try self.init(.signingRequest(RequestMessage(link: link.text))) { _ in link.text }
    }

    /// A text for a browser, an app or a person: no program joins the parts of one.
    init(text: String) { (self.text, message) = (text, nil) }

    /// Public keys as text, one in each line: any reader of codes shows it. In parts, they are a
    /// message.
    init(keys: [EntryDescription]) throws {
        let keys = keys.filter(\.isKey).map(\.name.text)
        try self.init(.publicKeys(PublicKeysMessage(keys: keys.map { try PublicKey($0) }))) { _ in
            keys.joined(separator: "\n")
        }
    }

    /// A content of the size of one K1 key, before the key is made.
    static func oneKey() throws -> QRContent {
        let text = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"
        return try QRContent(.publicKeys(PublicKeysMessage(keys: [PublicKey(text)]))) { _ in
            // Lower-case letters take the most modules.
            String(repeating: "a", count: text.count)
        }
    }

    /// The single code, nil if no allowed version holds it.
    func code(upTo largest: QRVersion) -> QRCode? {
        try? QRCode(Array(text.utf8), versions: .smallest...largest)
    }
}
