import ABICodec
import Shell

extension ABIOutline {
    /// One line for each action and alias. For other types, one line for the type and one for each
    /// of its parts.
    var lines: [String] { differences(from: ABIOutline()).flatMap(\.lines).map { String($0.dropFirst(2)) } }
}

extension ABIOutline.Difference {
    /// The lines of `ABIOutline.lines`, with a mark before what was added or removed.
    var lines: [String] {
        let title = "\(change.mark) \(kind.words) \(Printable.name(name))"
        if kind == .action || kind == .alias, parts.count == 1 { return ["\(title): \(parts[0].part.text)"] }
        return [title] + parts.map { "\($0.change.mark)   \($0.part.text)" }
    }
}

extension ABIOutline.Difference.Change {
    fileprivate var mark: String {
        switch self {
        case .kept: " "
        case .added: "+"
        case .removed: "-"
        }
    }
}

extension ABIOutline.Kind {
    fileprivate var words: String {
        switch self {
        case .action: "action"
        case .structure: "struct"
        case .variant: "variant"
        case .alias: "type"
        }
    }
}

extension ABIOutline.Part {
    fileprivate var text: String {
        switch self {
        case .base(let type): "base struct \(Printable.name(type))"
        case .field(let name, let type): "\(Printable.name(name)): \(Printable.name(type))"
        case .type(let type): Printable.name(type)
        }
    }
}

extension Printable {
    /// A name from an ABI. One that does not look like a name is quoted, so that its spaces can't
    /// imitate other text.
    fileprivate static func name(_ text: String) -> String {
        let isName = text.utf8.allSatisfy { (0x21..<0x7f).contains($0) && $0 != UInt8(ascii: "\"") }
        return isName && !text.isEmpty ? text : "\"\(line(text))\""
    }
}
