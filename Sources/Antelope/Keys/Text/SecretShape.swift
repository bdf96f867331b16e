import Codecs
import SecureMemory

/// True if text has the shape of a private key, valid or mistyped. Such text is never repeated in
/// an error.
package func looksLikePrivateKey(_ text: some StringProtocol) -> Bool {
    if text.uppercased().hasPrefix("PVT_") { return true }
    let bytes = Array(text.utf8)[...]
    // One key in five hundred has too few digits for its shape to be recognised; its checksum is
    // checked instead.
    return looksLikeWIF(bytes) || isWIF(bytes)
}

/// True if text contains a private key, valid or mistyped: after an option or another word, between
/// quotes, or with spaces in it.
package func holdsPrivateKey(_ text: some StringProtocol) -> Bool {
    let bytes = Array(text.utf8)
    // The base64 text of a signing request often has parts of a key's shape. Only a matching
    // checksum identifies one there.
    if ["esr:", "web+esr:"].contains(where: text.hasPrefix) {
        return holdsWIF(bytes)
    }
    if holdsPrefixedKey(bytes) { return true }
    // A key may be broken up by spaces or quotes.
    let joined = bytes.filter { !blanks.contains($0) }
    if joined.count < bytes.count, looksLikeWIF(joined[...]) || isWIF(joined[...]) { return true }
    for run in bytes.split(whereSeparator: { !$0.isASCIILetterOrDigit }) {
        // The bodies of public keys and signatures have a similar shape. There only a matching
        // checksum identifies a private key.
        let isPublic = bytes[..<run.startIndex].hasPublicPrefix || run.hasPublicPrefix
        for start in run.indices where run.endIndex - start >= shortestWIF {
            // One or two letters may precede the key: `-kKEY`.
            if !isPublic, start - run.startIndex <= 2, looksLikeWIF(run[start...]) { return true }
            if isWIF(run[start...].prefix(51)) { return true }
        }
    }
    return false
}

/// True if bytes contain a private key with a matching checksum, or with its prefix. Base64 often
/// has parts of a key's shape.
package func holdsWholePrivateKey(_ bytes: [UInt8]) -> Bool { holdsPrefixedKey(bytes) || holdsWIF(bytes) }

private func holdsWIF(_ bytes: [UInt8]) -> Bool {
    bytes.indices.contains { isWIF(bytes[$0...].prefix(51)) }
}

/// `PVT_K1_`, `PVT_R1_`, or `PVT_` followed by text as long as a key, in either letter case.
private func holdsPrefixedKey(_ text: [UInt8]) -> Bool {
    text.indices.contains { start in
        let rest = text[start...]
        guard rest.beginsIgnoringCase("PVT_") else { return false }
        let body = rest.dropFirst(4)
        return body.beginsIgnoringCase("K1_") || body.beginsIgnoringCase("R1_")
            || body.prefix { $0.isASCIILetterOrDigit || $0 == UInt8(ascii: "_") }.count >= 40
    }
}

private let blanks = Set(" \t\r\n\"'`".utf8)

/// A WIF has 51 characters from 5, or 52 from K or L. A few may be missing, doubled or mistyped.
private let shortestWIF = 46

private func looksLikeWIF(_ text: ArraySlice<UInt8>) -> Bool {
    guard (shortestWIF...56).contains(text.count), let first = text.first else { return false }
    guard [UInt8(ascii: "5"), UInt8(ascii: "K"), UInt8(ascii: "L")].contains(first) else { return false }
    guard text.allSatisfy(\.isASCIILetterOrDigit) else { return false }
    // Words rarely contain digits, and hex has no letter above f. About eight of 51 random base58
    // characters are digits.
    guard text.count(where: \.isDigit) >= 3, !text.allSatisfy(\.isHexDigit) else { return false }
    return text.contains(where: \.isUpperCase) && text.contains(where: \.isLowerCase)
}

/// True if text is a WIF with a matching checksum.
private func isWIF(_ text: ArraySlice<UInt8>) -> Bool {
    // Every WIF starts with one of these, because its version byte is 0x80.
    guard text.count == 51, ["5H", "5J", "5K"].contains(where: { text.starts(with: $0.utf8) }) else {
        return false
    }
    // The parser works in guarded memory, so that no part of the key remains elsewhere.
    do {
        _ = try PrivateKey.parse(SecureBytes(copyingPublic: Array(text)))
        return true
    } catch { return false }
}

extension ArraySlice<UInt8> {
    /// - Parameter prefix: ASCII, with its letters in upper case.
    fileprivate func beginsIgnoringCase(_ prefix: StaticString) -> Bool {
        let letters = self.prefix(prefix.utf8CodeUnitCount)
        return letters.elementsEqual(prefix.description.utf8) {
            $0 == $1 || ($1.isUpperCase && $0 == $1 | 0x20)
        }
    }

    /// True if the text starts with `EOS` or `FIO`, or ends with a curve's name as in `PUB_K1_`.
    fileprivate var hasPublicPrefix: Bool {
        let text = String(decoding: self, as: UTF8.self)
        return ["EOS", "FIO"].contains(where: text.hasPrefix)
            || ["_K1_", "_R1_", "_WA_"].contains(where: text.hasSuffix)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
    fileprivate var isUpperCase: Bool { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(self) }
    fileprivate var isLowerCase: Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self) }
    fileprivate var isHexDigit: Bool { Hex.value(of: self) != nil }
}
