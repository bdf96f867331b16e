import ABICodec
import Codecs
import Shell
import Signing
import Transactions

/// One action as rows: its name, its authorizations, and its fields in the ABI's order.
struct ActionText {
    let review: Review
    let own: OwnKeys?

    /// The columns of the field names at least.
    private static let nameWidth = 10
    /// The columns after a bar at least: two marks and some characters of a value.
    private static let valueColumns = 12
    /// The columns of the numbers of a list's elements.
    private static let indexWidth = 3

    /// - Parameters:
    ///   - count: the number of actions in the list.
    ///   - bar: the beginning of each row: nothing for an action of the transaction itself, a bar
    ///     for each level of nesting.
    func append(_ reviewed: ReviewedAction, of count: Int, _ list: String, bar: String, to rows: inout Rows) {
        let action = reviewed.action
        if bar.isEmpty { rows.append("") }
        let inner = inside(bar, rows.width)
        let levels = action.authorization.map(\.text)
        let parts = [
            "\(bar)\(list) \(reviewed.place.index + 1) of \(Amount.text(count))", reviewed.reference.text,
            levels.count > 1
                ? "by \(Amount.text(levels.count)) authorizations" : "by \(levels.first ?? "no one")",
            reviewed.source,
        ]
        rows.append("", parts: parts, separator: "    ", indent: bar.columns + 4, bar: bar)
        if levels.count > 1 { append("by", words: levels, inner, Self.nameWidth, to: &rows) }
        switch reviewed.content {
        case .decoded(let source):
            if let hash = source.hash {
                append("abi_hash", words: [hash.text], inner, Self.nameWidth, to: &rows)
            }
            appendData(of: reviewed, inner, to: &rows)
        case .blind:
            rows.append(inner + "data", bytes: action.data, bar: inner)
            if let partial = reviewed.partial {
                rows.append(
                    inner, words: Words.partial(trailing: partial.trailing), indent: inner.columns, bar: inner
                )
                let more = inside(inner, rows.width)
                for field in partial.value.fields ?? [] {
                    append(field.name, field.value, more, Self.nameWidth, to: &rows)
                }
            }
        }
        let width = width(of: reviewed, rows.width)
        if let nested = reviewed.nested { append(nested, inner, width, to: &rows) }
        if let stated = reviewed.stated {
            let heading = "according to \(Printable.line(stated.file)); the signature does not bind it:"
            rows.append(inner, words: heading, indent: inner.columns, bar: inner)
            append(stated.transaction, inner, width, to: &rows)
        }
    }

    /// The bar of what is inside. Rows deep inside are not indented further: a terminal would wrap
    /// them, and the rest of a row could look like a row of the program.
    private func inside(_ bar: String, _ width: Int) -> String {
        bar.columns + 2 > min(width / 2, width - Self.valueColumns) ? bar : bar + "  "
    }

    private func appendData(of reviewed: ReviewedAction, _ bar: String, to rows: inout Rows) {
        guard let value = reviewed.value else { return }
        guard value.fields != nil else { return append("", value, bar, Self.nameWidth, to: &rows) }
        let shown = shownFields(of: reviewed)
        let payment = reviewed.payments.first { $0.kind == .transfer }
        let width = width(of: reviewed, rows.width)
        for field in shown {
            if let payment, field.name == "quantity", case .asset(let asset) = field.value,
                !review.chain.isKnown(asset.symbol, at: payment.contract)
            {
                let first = first(field.name, bar, width, to: &rows)
                rows.append(
                    first, parts: [Amount.text(asset), "of \(payment.contract.text)"], separator: "     ",
                    indent: first.columns, bar: bar)
            } else {
                append(field.name, field.value, bar, width, to: &rows)
            }
        }
        if let abi = reviewed.newABI { append(abi, bar, to: &rows) }
    }

    /// The fields, without a transaction that is shown as actions.
    private func shownFields(of reviewed: ReviewedAction) -> [TypedField] {
        (reviewed.value?.fields ?? []).filter { reviewed.nested == nil || !$0.value.isTransaction }
    }

    private func width(of reviewed: ReviewedAction, _ columns: Int) -> Int {
        Self.width(of: shownFields(of: reviewed), columns)
    }

    /// The columns of the names, at most two fifths of the terminal's.
    private static func width(of fields: [TypedField], _ columns: Int) -> Int {
        min(2 * columns / 5, max(nameWidth, fields.map { QuotedText.name($0.name).columns }.max() ?? 0))
    }

    // MARK: - values

    private func append(_ name: String, _ value: TypedValue, _ bar: String, _ width: Int, to rows: inout Rows)
    {
        let first = self.first(name, bar, width, to: &rows)
        func words(_ parts: [String]) {
            rows.append(first, parts: parts, separator: " ", indent: first.columns, bar: bar)
        }
        switch value {
        case .name(let name): words([name.rawValue == 0 ? "(empty)" : name.text])
        case .asset(let asset): words([Amount.text(asset)])
        case .publicKey(let key): words([key] + mark(key))
        case .text(let text): rows.append(first, data: QuotedText.quoted(text), bar: bar + "  ")
        case .bytes(let bytes):
            // The beginning of every WebAssembly module (WebAssembly Core Specification, 5.5.16).
            let isCode = bytes.starts(with: [0, 0x61, 0x73, 0x6d])
            rows.append(
                String(first.dropLast()), bytes: bytes, of: isCode ? " of WebAssembly" : "", bar: bar,
                isHashed: isCode || name == "abi")
        case .plain(let text), .unquoted(let text): words([text])
        case .absent: words(["none"])
        case .alternative(let type, let inner):
            rows.append(first, data: QuotedText.name(type), bar: bar + "  ")
            append("", inner, inside(bar, rows.width), Self.nameWidth, to: &rows)
        case .list(let list): append(list, first, bar, to: &rows)
        case .fields(let fields):
            if let level = value.level {
                words([level.text])
            } else if let authority = DecodedAuthority(value) {
                append(authority, first, bar, to: &rows)
            } else {
                if fields.isEmpty {
                    words(["(no fields)"])
                } else if first.trimmed != bar.trimmed {
                    rows.append(first.trimmed)
                }
                let width = Self.width(of: fields, rows.width)
                let inner = name.isEmpty ? bar : inside(bar, rows.width)
                for field in fields { append(field.name, field.value, inner, width, to: &rows) }
            }
        }
    }

    /// The beginning of a field's first row. A name that is too long for it has rows of its own.
    private func first(_ name: String, _ bar: String, _ width: Int, to rows: inout Rows) -> String {
        let name = name.isEmpty ? "" : QuotedText.name(name)
        let first = bar + name.padded(to: width) + " "
        guard first.columns > 3 * rows.width / 4 else { return first }
        if !name.isEmpty { rows.append(bar, data: name, bar: bar) }
        return bar + "  "
    }

    /// Adds words as one field, separated by commas.
    private func append(_ name: String, words: [String], _ bar: String, _ width: Int, to rows: inout Rows) {
        let first = self.first(name, bar, width, to: &rows)
        rows.append(
            first, parts: words.isEmpty ? ["none"] : words.dropLast().map { $0 + "," } + words.suffix(1),
            separator: " ", indent: first.columns, bar: bar)
    }

    private func append(_ list: [TypedValue], _ first: String, _ bar: String, to rows: inout Rows) {
        let words = list.map(\.word)
        if words.allSatisfy({ $0 != nil }) {
            let parts = words.compactMap(\.self)
            return rows.append(
                first, parts: parts.isEmpty ? ["none"] : parts.dropLast().map { $0 + "," } + parts.suffix(1),
                separator: " ", indent: first.columns, bar: bar)
        }
        rows.append(
            first, words: Amount.count(list.count, "element"),
            indent: first.columns, bar: bar)
        for (index, element) in list.enumerated() {
            append("\(index + 1)", element, inside(bar, rows.width), Self.indexWidth, to: &rows)
        }
    }

    private func append(_ authority: DecodedAuthority, _ first: String, _ bar: String, to rows: inout Rows) {
        rows.append(first, words: "threshold \(authority.threshold)", indent: first.columns, bar: bar)
        let inner = inside(bar, rows.width)
        func row(_ name: String, _ parts: [String]) {
            rows.append(
                inner + name.padded(to: 8) + " ", parts: parts, separator: " ", indent: inner.columns + 9,
                bar: inner)
        }
        for key in authority.keys { row("key", [key.text, "weight \(key.weight)"] + mark(key.text)) }
        for account in authority.accounts {
            row("account", [account.level.text, "weight \(account.weight)"])
        }
        for wait in authority.waits { row("wait", ["\(wait.seconds) seconds", "weight \(wait.weight)"]) }
    }

    private func mark(_ key: String) -> [String] {
        guard let own else { return [] }
        guard let mine = own.key(key) else { return ["not in this vault"] }
        let label = mine.label.map { [Printable.label($0) + ","] } ?? []
        let backup = mine.isBackedUp.map { [$0 ? "backed up" : "NOT backed up"] } ?? []
        return label + ["in this vault" + (backup.isEmpty ? "" : ",")] + backup
    }

    // MARK: - contents

    private func append(_ abi: NewABI, _ bar: String, to rows: inout Rows) {
        for (name, names) in [("actions", abi.actions), ("tables", abi.tables)] {
            append(name, words: names.all.map(\.text), bar, Self.nameWidth, to: &rows)
            guard let change = names.change else { continue }
            for (kind, list) in [
                ("added", change.added), ("removed", change.removed), ("changed", change.changed),
            ] {
                append(kind, words: list.map(\.text), bar + "  ", Self.nameWidth - 2, to: &rows)
            }
        }
    }

    private func append(_ nested: NestedTransaction, _ bar: String, _ width: Int, to rows: inout Rows) {
        // The rows deep inside share a bar if the terminal is narrow: values need room.
        let inner = bar.columns + 2 + Self.valueColumns > rows.width ? bar : bar + "| "
        append("hash", words: [Hex.encode(nested.hash)], bar, width, to: &rows)
        for (list, name) in [
            (nested.contextFreeActions, "inner context-free action"), (nested.actions, "inner"),
        ] {
            for action in list { append(action, of: list.count, name, bar: inner, to: &rows) }
        }
        func words(_ text: String) { rows.append(inner, words: text, indent: inner.columns, bar: inner) }
        if nested.actions.isEmpty { words("no actions") }
        let header = nested.transaction.transaction
        words("expires \(ReviewText.date(header.expiration)) UTC: it can't be executed after that time")
        if header.refBlockNum != 0 || header.refBlockPrefix != 0 {
            words("reference block \(header.refBlockNum), prefix \(header.refBlockPrefix)")
        }
        if header.delaySec != 0 { words("delay_sec \(header.delaySec)") }
        if header.maxNetUsageWords != 0 || header.maxCPUUsageMS != 0 {
            words("max_net_usage_words \(header.maxNetUsageWords), max_cpu_usage_ms \(header.maxCPUUsageMS)")
        }
        for item in header.extensions {
            rows.append(inner + "extension \(item.type)", bytes: item.data, bar: inner)
        }
    }
}

extension TypedValue {
    /// The text of a value that is one word; nil for any other value.
    fileprivate var word: String? {
        switch self {
        case .name(let name): name.rawValue == 0 ? "(empty)" : name.text
        case .plain(let text), .unquoted(let text): text
        case .asset(let asset): Amount.text(asset)
        case .fields: level?.text
        case .publicKey, .text, .bytes, .list, .alternative, .absent: nil
        }
    }
}

extension ReviewedAction {
    fileprivate var source: String {
        switch content {
        case .decoded(.given): isUnpinned ? "ABI GIVEN, not pinned" : "ABI given"
        case .decoded(.pinned): "ABI pinned"
        case .decoded(.builtIn): "ABI built in"
        case .decoded(.builtInOlder(let date)): "ABI built in, of \(date)"
        case .blind: "NOT DECODED"
        }
    }
}
