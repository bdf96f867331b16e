import ABICodec
import Codecs
import Keys
import Shell
import Signing
import Transactions

/// A review as text for a terminal: the actions, then the part that a person reads before the
/// answer, which fits into 24 rows of 80 columns. Everything that is decoded from the bytes is
/// quoted or has a fixed alphabet.
struct ReviewText {
    let review: Review
    let now: Int64
    /// The keys of the vault; nil if the review is not for a vault.
    var own: OwnKeys?
    /// The keys that are about to sign.
    var keys: [KeyDescription] = []
    /// The signing request that the transaction comes from.
    var request: RequestReview?
    /// The seconds between the vault's last record and the clock, if a policy requires that a
    /// person confirms them.
    var clockStep: UInt32?
    /// The columns of the terminal.
    var width = Self.standardWidth

    static let standardWidth = 80
    /// A narrower terminal has no room for ids and keys next to the payments: `v` shows them.
    private static let tinyWidth = 40
    /// More is shown by its size and its SHA-256, in bytes.
    static let shownBytes = 256
    /// More signatures are shown by their number and their SHA-256.
    static let shownSignatures = 100

    var text: String {
        let last = lastPart
        return (body(with: last.details) + last.rows).map { $0 + "\n" }.joined()
    }

    /// The transaction's identity, its actions and the rest of its contents.
    var body: [String] { body(with: lastPart.details) }

    private func body(with details: [String]) -> [String] {
        var rows = Rows(width: width)
        rows.append(named: "chain", words: chain)
        rows.append(named: "transaction", words: review.transaction.id)
        return rows.rows + contents + details
    }

    /// The actions, and the rest of the contents.
    var contents: [String] {
        var rows = Rows(width: width)
        for (list, name) in [(review.contextFreeActions, "context-free action"), (review.actions, "action")] {
            for action in list {
                ActionText(review: review, own: own).append(action, of: list.count, name, bar: "", to: &rows)
            }
        }
        rows.append("")
        let actions = rows.rows.count
        appendContents(to: &rows)
        if rows.rows.count > actions { rows.append("") }
        return rows.rows
    }

    /// The rows that a person reads before answering.
    var tail: [String] { lastPart.rows }

    /// The rows of the last part, with the question, that a terminal always shows at once.
    private static let lastRows = 24
    /// The rows of the summary at least, if the last part is full.
    private var fewestSummaryRows: Int { width < Self.tinyWidth ? 8 : width < 60 ? 2 : 3 }
    /// The question, in its longest form. Without one, there is room for the question about many
    /// actions with a danger.
    var question: (_ width: Int) -> String = { width in
        let again = width < 60 ? "(v: review)" : "(v shows the review again)"
        return "To sign these 1,000 actions (1,000 inner) for Vaulta (EOS) \(again),\n"
            + "type the account of approval-without-hash: "
    }

    /// The last part, and the rows that it has no room for: ids and digests give way to the
    /// payments, changes and warnings, which decide.
    private var lastPart: (rows: [String], details: [String], cut: SummaryText.Cut?) {
        let isTiny = width < Self.tinyWidth
        let times = clockRows + (isTiny ? [] : self.times) + (request?.rows(width: width) ?? [])
        let questionRows = question(width).questionHeight(at: width)
        let signers = isTiny ? shortSigners : signers
        let room = Self.lastRows - questionRows - times.height(at: width) - signers.height(at: width)
        let all = review.warnings(now: now, own: own)
        var warnings = WarningText(all, review: review, width: width)
        var summary = SummaryText(
            review: review, own: own, width: width, maximumRows: summaryRoom(room, warnings))
        // The new authorities give way to the warnings. The actions have them too.
        summary.showsAuthorities =
            summary.cut == nil && summary.rows.height(at: width) + warnings.allRows <= room
        let cut = summary.cut
        if let cut {
            warnings = WarningText(all, cut: cut.warning, review: review, width: width)
            summary.maximumRows = summaryRoom(room, warnings)
        }
        let summaryRows = summary.rows
        let height = summaryRows.height(at: width)
        let hashes = isTiny ? self.times + hashes + self.signers : hashes
        let isRoomy = !isTiny && room - hashes.height(at: width) >= height + warnings.fewestRows
        let shown = warnings.rows(atMost: room - height - (isRoomy ? hashes.height(at: width) : 0))
        // A tiny terminal may have no room for the first rows.
        let rows = isTiny ? shown.rows + summaryRows + times : summaryRows + times + shown.rows
        return isRoomy
            ? (rows + hashes + signers, shown.details, cut)
            : (rows + signers, shown.details + hashes + [""], cut)
    }

    private func summaryRoom(_ room: Int, _ warnings: WarningText) -> Int {
        max(fewestSummaryRows, room - warnings.fewestRows)
    }

    /// The rows that the last part omits; nil for none.
    var cut: SummaryText.Cut? { lastPart.cut }

    var header: Transaction { review.transaction.transaction }

    private var chain: String {
        guard let chain = review.chain else {
            let stated =
                review.transaction.statedChain.map { "; the file states \($0.chain?.name ?? $0.text)" } ?? ""
            return "not given: there is no digest without --chain" + stated
        }
        return chain.line(named: review.chainName)
    }

    // MARK: - contents other than actions

    private func appendContents(to rows: inout Rows) {
        // A login has none.
        if !review.isLogin || header.refBlockNum > 0 || header.refBlockPrefix > 0 {
            rows.append(
                named: "reference", words: "block \(header.refBlockNum), prefix \(header.refBlockPrefix)")
        }
        for (index, data) in review.transaction.contextFreeData.enumerated() {
            rows.append("context-free data \(index + 1)", bytes: data, bar: "  ")
        }
        for item in header.extensions { rows.append("extension \(item.type)", bytes: item.data, bar: "  ") }
        let signatures = review.transaction.signatures
        guard signatures.count <= Self.shownSignatures else {
            let bytes = signatures.flatMap { Array($0.text.utf8) + [UInt8(ascii: "\n")] }
            rows.append(
                named: "signatures",
                words: "\(Amount.text(signatures.count)), not shown; sha256 of their lines")
            rows.append(named: "", words: Hex.encode(HashFunction.sha256.hash(bytes)))
            return
        }
        if review.digest == nil, !signatures.isEmpty {
            rows.append(
                "signatures   ",
                words: "\(Amount.text(signatures.count)) in the file; their keys are unknown without --chain",
                indent: 13)
        }
        for (index, signer) in review.signers.enumerated() {
            rows.append(named: "signature \(index + 1)", words: text(of: signer))
        }
    }

    private func text(of signer: Signer) -> String {
        switch signer {
        case .key(let key): "by \(key.kind == .webAuthn ? "WebAuthn key " : "")\(key.text)\(mark(key))"
        case .nonCanonical(let key): "by \(key.text), not canonical"
        case .unknown(.notRecoverable): "by an unknown key"
        case .unknown(let error): "by an unknown key: \(error.words.message)"
        }
    }

    private func mark(_ key: PublicKey) -> String {
        own.map { $0.contains(key) ? ", in this vault" : ", not in this vault" } ?? ""
    }

    // MARK: - the last rows

    private var times: [String] {
        var rows = Rows(width: width)
        let remaining = review.remaining(now: now)
        guard !review.isLogin || header.expiration.seconds > 0 else {
            rows.append(named: "expires", words: "never: a login of this version has no expiration")
            return rows.rows
        }
        let distance =
            remaining > 0 ? "in \(Amount.duration(remaining))" : "\(Amount.duration(-remaining)) ago"
        let clock = rows.isNarrow ? "" : " by this machine's clock"
        rows.append(named: "expires", words: "\(Self.date(header.expiration)) UTC, \(distance)\(clock)")
        if !review.isLogin, remaining > 0, remaining <= Review.maximumLifetime + Review.referenceLifetime {
            let start = Int64(header.expiration.seconds) - Review.maximumLifetime
            let from =
                start <= now ? "now" : "from \(Self.date(TimePointSec(seconds: UInt32(clamping: start)))) UTC"
            let lastHour = start <= now ? "" : " (the last hour)"
            let reference = "\(lastHour), while its reference block is less than 9 hours old"
            rows.append(named: "pushable", words: from + (rows.isNarrow ? "" : reference))
        }
        return rows.rows
    }

    private var clockRows: [String] {
        guard let clockStep else { return [] }
        var rows = Rows(width: width)
        let date = Self.date(TimePointSec(seconds: UInt32(clamping: now)))
        let step = Amount.duration(Int64(clockStep))
        rows.append(
            named: "clock",
            words: "\(date) UTC, \(step) after the vault's last record: sign only if this date is right")
        return rows.rows
    }

    static func date(_ time: TimePointSec) -> String { time.text.replacing("T", with: " ") }

    /// More keys are counted. A narrow terminal has room for one.
    private var shownKeys: Int { width < Self.standardWidth ? 1 : 3 }

    private var hashes: [String] {
        var rows = Rows(width: width)
        rows.append(named: "transaction", words: review.transaction.id)
        if let digest = review.digest { rows.append(named: "digest", words: Hex.encode(digest.bytes)) }
        return rows.rows
    }

    private var signers: [String] {
        var rows = Rows(width: width)
        if let chain = review.chain, chain.chain == nil, review.chainName == nil {
            rows.append(named: "chain", words: chain.text)
        }
        for (index, key) in keys.prefix(shownKeys).enumerated() {
            let label = key.label.map { [Printable.label(rows.isNarrow ? Self.shortened($0) : $0)] } ?? []
            rows.append(named: index == 0 ? "signs with" : "", parts: [key.publicKey.text] + label)
        }
        if keys.count > shownKeys {
            rows.append(named: "", words: "and \(Amount.count(keys.count - shownKeys, "more key"))")
        }
        return rows.rows
    }

    /// The keys by their labels, or by their number.
    private var shortSigners: [String] {
        var rows = Rows(width: width)
        let labels = keys.compactMap(\.label)
        let text =
            labels.count == keys.count && keys.count == 1
            ? Printable.label(Self.shortened(labels[0])) : Amount.count(keys.count, "key") + ", above"
        if !keys.isEmpty { rows.append(named: "signs with", words: text) }
        return rows.rows
    }

    /// The beginning of a label, which fits next to the end of the key in 40 columns.
    private static func shortened(_ label: String) -> String {
        label.columns > 10 ? label.prefix(columns: 7) + "..." : label
    }
}

extension Rows {
    /// Adds bytes: as hex, or by their size and SHA-256 if they are long.
    /// - Parameters:
    ///   - first: the name before them.
    ///   - kind: for example ` of WebAssembly`.
    ///   - isHashed: true if short bytes are shown by their SHA-256 too, because people compare it.
    mutating func append(
        _ first: String, bytes: [UInt8], of kind: String = "", bar: String, isHashed: Bool = false
    ) {
        let name = first.padded(to: bar.columns + 10) + " "
        let size = "\(Amount.count(bytes.count, "byte"))\(kind)"
        if bytes.count > ReviewText.shownBytes || isHashed {
            append(name, words: "\(size), not shown", indent: name.columns, bar: bar)
            append(
                (bar + "sha256").padded(to: name.columns - 1) + " ",
                words: Hex.encode(HashFunction.sha256.hash(bytes)),
                indent: bar.columns, bar: bar)
        } else if bytes.isEmpty {
            append(name, words: "empty", indent: name.columns, bar: bar)
        } else {
            append(name, words: size + ":", indent: name.columns, bar: bar)
            append(bar + "  ", data: Hex.encode(bytes), bar: bar + "  ")
        }
    }
}

extension Printable {
    /// A label of the vault, in quotes. No text of it is mistaken for the text after it.
    static func label(_ label: String) -> String {
        let escaped = label.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] }
        return "\"" + line(String(escaped)) + "\""
    }
}
