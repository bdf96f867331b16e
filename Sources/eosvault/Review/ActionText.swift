import ABICodec
import Codecs
import Signing
import Transactions

/// One action as rows: its name, its authorizations, and its fields in the ABI's order.
struct ActionText {
    let review: Review
    let own: OwnKeys?

    /// The columns of the field names at least.
    private static let nameWidth = 10

    /// - Parameters:
    ///   - count: the number of actions in the list.
    ///   - bar: the beginning of each row: nothing for an action of the transaction itself, a bar
    ///     for each level of nesting.
    func append(_ reviewed: ReviewedAction, of count: Int, _ list: String, bar: String, to rows: inout Rows) {
        let action = reviewed.action
        if bar.isEmpty { rows.append("") }
        let authorization = action.authorization.map(\.text).joined(separator: ", ")
        let parts = [
            "\(bar)\(list) \(reviewed.place.index + 1) of \(Amount.text(count))", reviewed.reference.text,
            "by \(authorization.isEmpty ? "no one" : authorization)",
            reviewed.source,
        ]
        rows.append("", parts: parts, separator: "    ", indent: bar.count + 4)
        let inner = bar + "  "
        switch reviewed.content {
        case .decoded(_, let source):
            if let hash = source.hash { rows.append("\(inner)abi_hash   ", words: hash.text, indent: inner.count) }
            appendData(of: reviewed, inner, to: &rows)
        case .blind:
            rows.append(inner + "data", bytes: action.data, bar: inner)
            if let partial = reviewed.partial {
                rows.append(inner, words: Words.partial(trailing: partial.trailing), indent: inner.count)
                for field in partial.value.fields ?? [] {
                    append(field.name, field.value, inner + "  ", Self.nameWidth, to: &rows)
                }
            }
        }
        if let nested = reviewed.nested { append(nested, inner, to: &rows) }
    }

    private func appendData(of reviewed: ReviewedAction, _ bar: String, to rows: inout Rows) {
        guard let value = reviewed.value else { return }
        guard let fields = value.fields else { return append("", value, bar, Self.nameWidth, to: &rows) }
        // The transaction inside is shown as actions.
        let shown = fields.filter { reviewed.nested == nil || !$0.value.isTransaction }
        let payment = reviewed.payments.first { $0.kind == .transfer }
        let width = Self.width(of: shown)
        for field in shown {
            if let payment, field.name == "quantity", case .asset(let asset) = field.value,
                !review.chain.isKnown(asset.symbol, at: payment.contract)
            {
                let name = field.name.padded(to: width)
                rows.append(
                    "\(bar)\(name) ", parts: [Amount.text(asset), "of \(payment.contract.text)"], separator: "     ",
                    indent: bar.count + width + 1)
            } else {
                append(field.name, field.value, bar, width, to: &rows)
            }
        }
        if let abi = reviewed.newABI { append(abi, bar, to: &rows) }
    }

    private static func width(of fields: [TypedField]) -> Int {
        min(20, max(nameWidth, fields.map { QuotedText.name($0.name).count }.max() ?? 0))
    }

    // MARK: - values

    private func append(_ name: String, _ value: TypedValue, _ bar: String, _ width: Int, to rows: inout Rows) {
        let first = bar + (name.isEmpty ? "" : QuotedText.name(name)).padded(to: width) + " "
        let indent = first.count
        switch value {
        case .name(let name): rows.append(first, words: name.rawValue == 0 ? "(empty)" : name.text, indent: indent)
        case .asset(let asset): rows.append(first, parts: [Amount.text(asset)], separator: " ", indent: indent)
        case .publicKey(let key): rows.append(first, parts: [key] + mark(key), separator: " ", indent: indent)
        case .text(let text): rows.append(first, data: QuotedText.quoted(text), bar: bar + "  ")
        case .bytes(let bytes):
            // The beginning of every WebAssembly module (WebAssembly Core Specification, 5.5.16).
            let isCode = bytes.starts(with: [0, 0x61, 0x73, 0x6d])
            rows.append(
                String(first.dropLast()), bytes: bytes, of: isCode ? " of WebAssembly" : "", bar: bar,
                isHashed: isCode || name == "abi")
        case .plain(let text): rows.append(first, words: text, indent: min(indent, bar.count + 2))
        case .absent: rows.append(first + "none")
        case .alternative(let type, let inner):
            rows.append(first + QuotedText.name(type))
            append("", inner, bar + "  ", Self.nameWidth, to: &rows)
        case .list(let list): append(list, first, bar, to: &rows)
        case .fields(let fields):
            if let level = value.level {
                rows.append(first, words: level.text, indent: indent)
            } else if let authority = DecodedAuthority(value) {
                append(authority, first, bar, to: &rows)
            } else {
                rows.append(fields.isEmpty ? first + "(no fields)" : first)
                let width = Self.width(of: fields)
                for field in fields { append(field.name, field.value, bar + "  ", width, to: &rows) }
            }
        }
    }

    private func append(_ list: [TypedValue], _ first: String, _ bar: String, to rows: inout Rows) {
        guard !list.isEmpty else { return rows.append(first + "none") }
        let words = list.map(\.word)
        if words.allSatisfy({ $0 != nil }) {
            let parts = words.compactMap(\.self)
            return rows.append(
                first, parts: parts.dropLast().map { $0 + "," } + parts.suffix(1), separator: " ",
                indent: first.count)
        }
        rows.append(first + "\(Amount.text(list.count)) \(list.count == 1 ? "element" : "elements")")
        for (index, element) in list.enumerated() {
            append("\(index + 1)", element, bar + "  ", Self.nameWidth, to: &rows)
        }
    }

    private func append(_ authority: DecodedAuthority, _ first: String, _ bar: String, to rows: inout Rows) {
        rows.append("\(first)threshold \(authority.threshold)")
        func row(_ name: String, _ parts: [String]) {
            rows.append(
                bar + "  " + name.padded(to: 8) + " ", parts: parts, separator: " ", indent: bar.count + 11)
        }
        for key in authority.keys { row("key", [key.text, "weight \(key.weight)"] + mark(key.text)) }
        for account in authority.accounts { row("account", [account.level.text, "weight \(account.weight)"]) }
        for wait in authority.waits { row("wait", ["\(wait.seconds) seconds", "weight \(wait.weight)"]) }
    }

    private func mark(_ key: String) -> [String] {
        own.map { [$0.contains(key) ? "in this vault" : "not in this vault"] } ?? []
    }

    // MARK: - contents

    private func append(_ abi: NewABI, _ bar: String, to rows: inout Rows) {
        for (name, names) in [("actions", abi.actions), ("tables", abi.tables)] {
            append(name, names.all, bar, to: &rows)
            guard let change = names.change else { continue }
            for (kind, list) in [("added", change.added), ("removed", change.removed), ("changed", change.changed)] {
                append("  " + kind, list, bar, to: &rows)
            }
        }
    }

    private func append(_ name: String, _ names: [Name], _ bar: String, to rows: inout Rows) {
        let parts = names.isEmpty ? ["none"] : names.dropLast().map { $0.text + "," } + names.suffix(1).map(\.text)
        rows.append(
            bar + name.padded(to: Self.nameWidth) + " ", parts: parts, separator: " ",
            indent: bar.count + Self.nameWidth + 1)
    }

    private func append(_ nested: NestedTransaction, _ bar: String, to rows: inout Rows) {
        let inner = bar + "| "
        rows.append("\(bar)hash       ", words: Hex.encode(nested.hash), indent: bar.count)
        for (list, name) in [(nested.contextFreeActions, "inner context-free action"), (nested.actions, "inner")] {
            for action in list { append(action, of: list.count, name, bar: inner, to: &rows) }
        }
        if nested.actions.isEmpty { rows.append(inner + "no actions") }
        let header = nested.transaction.transaction
        rows.append(
            inner, words: "expires \(ReviewText.date(header.expiration)) UTC: it can't be executed later",
            indent: inner.count)
        if header.refBlockNum != 0 || header.refBlockPrefix != 0 {
            rows.append(
                inner, words: "reference block \(header.refBlockNum), prefix \(header.refBlockPrefix)",
                indent: inner.count)
        }
        if header.delaySec != 0 { rows.append(inner + "delay_sec \(header.delaySec)") }
    }
}

extension TypedValue {
    /// The text of a value that is one word; nil for any other value.
    fileprivate var word: String? {
        switch self {
        case .name(let name): name.rawValue == 0 ? "(empty)" : name.text
        case .plain(let text): text
        case .asset(let asset): Amount.text(asset)
        case .fields: level?.text
        case .publicKey, .text, .bytes, .list, .alternative, .absent: nil
        }
    }
}

extension ReviewedAction {
    fileprivate var source: String {
        switch content {
        case .decoded(_, .given): isUnpinned ? "ABI GIVEN, not pinned" : "ABI given"
        case .decoded(_, .pinned): "ABI pinned"
        case .decoded(_, .builtIn): "ABI built in"
        case .decoded(_, .builtInOlder(let date)): "ABI built in, of \(date)"
        case .blind: "NOT DECODED"
        }
    }
}
