import AirGap
import KeyVault
import Keys
import Shell
import SigningRequests

/// The content of QR codes: a text if it fits one code, otherwise a message in parts.
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

/// A message as a sequence of codes of one version.
struct QRSequence {
    /// Bytes in each code: version 9. Smaller fragments are complete sooner when codes are missed;
    /// at 30 % loss, twice the least number of codes is enough at any length.
    static let defaultFragment = 120
    /// The number of the last part. Then the sequence starts again. Its number has two bytes.
    private static let lastNumber = UInt32(UInt16.max)

    private let encoder: UREncoder
    let version: QRVersion

    init(_ message: UniformResource, fragment: Int?) throws(CommandError) {
        do {
            encoder = try UREncoder(message, maximumFragment: fragment ?? Self.defaultFragment)
            version = try Self.code(encoder, Self.lastNumber, .smallest ... .largest).version
        } catch { throw .qrTooLong }
    }

    /// The most bytes in each code of at most this version; nil if no allowed number fits.
    static func largestFragment(_ message: UniformResource, upTo largest: QRVersion) -> Int? {
        // A longer fragment never needs a smaller version.
        var (low, high) = (QROptions.fragments.lowerBound, QROptions.fragments.upperBound)
        func fits(_ fragment: Int) -> Bool {
            (try? QRSequence(message, fragment: fragment)).map { $0.version <= largest } ?? false
        }
        guard fits(low) else { return nil }
        while low < high {
            let middle = (low + high + 1) / 2
            if fits(middle) { low = middle } else { high = middle - 1 }
        }
        return low
    }

    /// The fewest codes that contain the message.
    var count: Int { encoder.count }

    /// The code with this number, from 1.
    func code(_ number: Int) throws(CommandError) -> QRCode {
        let part = UInt32(clamping: number - 1) % Self.lastNumber + 1
        do { return try Self.code(encoder, part, version...version) } catch { throw .qrTooLong }
    }

    private static func code(
        _ encoder: UREncoder, _ number: UInt32, _ versions: ClosedRange<QRVersion>
    ) throws(QRError) -> QRCode {
        try QRCode(Array(encoder.text(number).uppercased().utf8), versions: versions)
    }
}
