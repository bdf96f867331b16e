import Messages

extension PolicyDifference {
    /// One line: what changed, and whether it is looser.
    package var text: String {
        let subject = [part.rawValue, name.map(Printable.line)].compactMap { $0 }.joined(separator: " ")
        let change =
            switch (old, new) {
            case (nil, let new?): "added: \(Printable.line(new))"
            case (let old?, nil): "removed: \(Printable.line(old))"
            default: "was \(Printable.line(old ?? "")), is \(Printable.line(new ?? ""))"
            }
        return "\(subject) \(change)" + (isLooser ? " (looser)" : "")
    }
}
