import AirGap
import KeyVault
import Keys
import Shell
import SigningRequests

/// The content of QR codes: a text if it fits one code, otherwise a message in parts.
package struct QRContent {
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
            anyText(of: text)
        }
    }

    /// A placeholder with the length of a text whose letters are not known yet.
    init(anyTextLike text: String) { self.init(text: Self.anyText(of: text)) }

    /// Lower-case letters take the most modules.
    private static func anyText(of text: String) -> String { String(repeating: "a", count: text.utf8.count) }

    /// The single code, nil if no allowed version holds it.
    func code(upTo largest: QRVersion) -> QRCode? {
        try? QRCode(Array(text.utf8), versions: .smallest...largest)
    }
}

/// One code, or a sequence.
enum QRPicture {
    case code(QRCode)
    case sequence(QRSequence)
}

/// A message as a sequence of codes of one version.
struct QRSequence {
    /// The number of the last part. Then the sequence starts again. Its number has two bytes.
    private static let lastNumber = UInt32(UInt16.max)

    private let encoder: UREncoder
    let version: QRVersion
    /// The most bytes in each code.
    let fragment: Int

    init(_ message: UniformResource, fragment: Int) throws(CommandError) {
        let fewest = Self.fragments(of: message).lowerBound
        guard fragment >= fewest else { throw .qrTooManyCodes(fragment: fewest) }
        self.fragment = fragment
        do { encoder = try UREncoder(message, maximumFragment: fragment, minimumFragment: 1) } catch {
            throw .qrTooLong
        }
        // All characters are of this mode.
        let length = encoder.text(Self.lastNumber).utf8.count
        let version = QRVersion.all.first { $0.capacity(.alphanumeric, .low) >= length }
        guard let version else { throw .qrTooLong }
        self.version = version
    }

    /// Bytes in each code of a picture, which has room for any code. 120 bytes need version 9. If a
    /// message is long, longer fragments keep the number of codes below the limits of
    /// eosvault-scan.
    static func pictureFragment(_ message: UniformResource) -> Int {
        min(max(120, message.cbor.count / 1024), QRPictureOptions.fragments.upperBound)
    }

    /// The sequence with the largest fragments whose codes have at most this version. If no code is
    /// that small, or for nil, the sequence with the smallest codes.
    static func largest(_ message: UniformResource, upTo version: QRVersion?) throws(CommandError) -> Self {
        var (low, high) = (fragments(of: message).lowerBound, QRPictureOptions.fragments.upperBound)
        var best = try Self(message, fragment: low)
        guard let version, best.version <= version else { return best }
        // A longer fragment never needs a smaller version.
        while low < high {
            let middle = (low + high + 1) / 2
            let next = try Self(message, fragment: middle)
            if next.version <= version { (low, best) = (middle, next) } else { high = middle - 1 }
        }
        return best
    }

    /// The allowed bytes in each code of a message.
    private static func fragments(of message: UniformResource) -> ClosedRange<Int> {
        let fewest = (message.cbor.count + URPart.maximumCount - 1) / URPart.maximumCount
        return max(QRPictureOptions.fragments.lowerBound, fewest)...QRPictureOptions.fragments.upperBound
    }

    /// The fewest codes that contain the message. At 30 % loss, twice as many are enough.
    var count: Int { encoder.count }

    /// The code with this number, from 1.
    func code(_ number: Int) throws(CommandError) -> QRCode {
        let part = UInt32(clamping: number - 1) % Self.lastNumber + 1
        let text = Array(encoder.text(part).uppercased().utf8)
        do { return try QRCode(text, versions: version...version) } catch { throw .qrTooLong }
    }
}
