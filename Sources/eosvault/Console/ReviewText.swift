import ABICodec
import Codecs
import Curves
import JSON
import KeyText
import Signing
import Transactions

/// A review as text for the user. Everything that is decoded from the bytes is escaped for
/// printing.
struct ReviewText {
    let review: Review
    let now: Int64
    /// The keys that are about to sign, with their labels.
    var keys: [String] = []

    var text: String {
        var lines: [String] = []
        lines.append(row("chain", chain))
        lines.append(row("transaction", review.transaction.id))
        if let digest = review.digest { lines.append(row("digest", Hex.encode(digest.bytes))) }
        lines.append(row("expires", expiration))
        lines.append(row("reference", "block \(header.refBlockNum), prefix \(header.refBlockPrefix)"))
        lines += limits
        for (index, signer) in review.signers.enumerated() {
            lines.append(row("signature \(index + 1)", Self.text(of: signer)))
        }
        lines += list(review.contextFreeActions, "context-free action")
        lines += list(review.actions, "action")
        for (index, data) in review.transaction.contextFreeData.enumerated() {
            lines.append(row("context-free data \(index + 1)", Hex.encode(data)))
        }
        for item in header.extensions { lines.append(row("extension \(item.type)", Hex.encode(item.data))) }
        lines += keys.map { row("signs with", $0) }.prefixed(by: "")
        lines += review.warnings(now: now).map { "warning: \($0.text)" }
        return lines.joined(separator: "\n") + "\n"
    }

    private var header: Transaction { review.transaction.transaction }

    private func row(_ name: String, _ value: String) -> String { name.padded(to: 13) + "  " + value }

    private var chain: String {
        guard let chain = review.chain else {
            let stated = review.transaction.statedChain.map { "; the file names \($0.chain?.name ?? $0.text)" } ?? ""
            return "not given: there is no digest without --chain" + stated
        }
        return chain.chain.map { "\($0.title)  \(chain.text)" } ?? chain.text
    }

    private var expiration: String {
        let remaining = review.remaining(now: now)
        let distance = remaining > 0 ? "in \(Duration.text(remaining))" : "\(Duration.text(-remaining)) ago"
        return "\(header.expiration.text) UTC, \(distance) by this machine's clock"
    }

    private var limits: [String] {
        var lines: [String] = []
        if header.maxNetUsageWords != 0 {
            lines.append(row("net limit", "\(header.maxNetUsageWords) words of 8 bytes"))
        }
        if header.maxCPUUsageMS != 0 { lines.append(row("cpu limit", "\(header.maxCPUUsageMS) ms")) }
        if header.delaySec != 0 { lines.append(row("delay", "\(header.delaySec) seconds")) }
        return lines
    }

    private func list(_ actions: [ReviewedAction], _ name: String) -> [String] {
        actions.enumerated().flatMap { index, reviewed in
            let action = reviewed.action
            var lines = ["", "\(name) \(index + 1) of \(actions.count)"]
            lines.append("  " + row("contract", action.account.text))
            lines.append("  " + row("name", action.name.text))
            let authorization = action.authorization.map(\.text).joined(separator: ", ")
            lines.append("  " + row("authorized by", authorization.isEmpty ? "no one" : authorization))
            switch reviewed.content {
            case .decoded(let value, let source):
                // Without the two spaces of `row`, the line has 79 columns.
                if let hash = source.hash { lines.append("  " + "abi sha256".padded(to: 13) + hash.text) }
                lines.append("  " + row("data", "(\(source.words))"))
                lines += Printable.json(value, .pretty).split(separator: "\n").flatMap(Self.wrapped)
            case .blind:
                lines.append(
                    "  " + row("data", "NOT DECODED, allowed by --blind: \(Words.count(action.data.count, "byte"))"))
                lines.append("    " + Hex.encode(action.data))
            }
            return lines
        }
    }

    /// Splits a line of data into pieces that fit a terminal of 80 columns, and marks each
    /// continuation. Otherwise spaces in the data could imitate a line of the review. Each Unicode
    /// scalar counts separately, and a scalar outside of ASCII counts as two columns.
    private static func wrapped(_ line: Substring) -> [String] {
        var lines: [String] = []
        var piece = "    "
        var width = 4
        for scalar in line.unicodeScalars {
            let columns = scalar.isASCII ? 1 : 2
            if width + columns > 78 {
                lines.append(piece)
                piece = "    > "
                width = 6
            }
            piece.unicodeScalars.append(scalar)
            width += columns
        }
        return lines + [piece]
    }

    private static func text(of signer: Signer) -> String {
        switch signer {
        case .key(let key): "by \(key.kind == .webAuthn ? "WebAuthn key " : "")\(key.text)"
        case .nonCanonical(let key): "by \(key.text), not canonical"
        case .unknown(.notRecoverable): "by an unknown key"
        case .unknown(let error): "by an unknown key: \(Words(error).message)"
        }
    }
}

extension [String] {
    /// The lines after `line`; no lines if the array is empty.
    fileprivate func prefixed(by line: String) -> [String] { isEmpty ? [] : [line] + self }
}

extension ContractABIs.Source {
    fileprivate var words: String {
        switch self {
        case .given: "by the given ABI"
        case .pinned: "by the pinned ABI"
        case .builtIn: "by the built-in ABI"
        case .builtInOlder(let date): "by an older built-in ABI, of \(date)"
        }
    }
}
