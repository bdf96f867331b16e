import AirGap
import CodeSequences
import Curves
import KeyText
import KeyVault
import QRCodes

/// What QR codes show: a text if it fits one code, or else a message in parts.
struct QRContent {
    /// The text of a single code.
    let text: String
    let message: UniformResource

    /// A message. Upper-case letters take fewer modules.
    init(_ message: AirGapMessage) throws {
        do throws(AirGapError) { self.message = try message.resource() } catch { throw CommandError.qrTooLong }
        text = self.message.text.uppercased()
    }

    /// Public keys as text, one in each line: any reader of codes shows it. In parts, they are a
    /// message.
    init(keys: [EntryDescription]) throws {
        let keys = keys.filter(\.isKey).map(\.name.text)
        message = try Self(.publicKeys(PublicKeysMessage(keys: keys.map { try PublicKey($0) }))).message
        text = keys.joined(separator: "\n")
    }

    /// The single code, nil if no allowed version holds it.
    func code(upTo largest: QRVersion) -> QRCode? {
        try? QRCode(Array(text.utf8), versions: .smallest...largest)
    }
}
