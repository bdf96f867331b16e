import TerminalText

/// Shows rows page by page, at a terminal that is not cleared: each row stays in the scroll-back.
/// No other program runs.
struct Pager {
    /// The rows for a number of columns.
    let rows: (_ columns: Int) -> [String]
    /// The beginning of the row with which an action starts, for `g`: `action 12 of `. Nil for rows
    /// without actions, where `g` has no effect.
    let actionPrefix: String?

    private var size: TerminalSize
    private var current: [String]
    /// The first row of the page that is shown.
    private var top = 0
    /// The row after the last one that was shown.
    private var end = 0
    private var search = ""
    /// The text that is being typed after `/` or `g`.
    private var typed: (command: UInt8, text: String)?
    private var message = ""

    init(size: TerminalSize, actionPrefix: String?, rows: @escaping (_ columns: Int) -> [String]) {
        self.rows = rows
        self.actionPrefix = actionPrefix
        self.size = size
        current = rows(size.columns)
    }

    /// The rows of a page; one row is for the status line.
    private var page: Int { max(1, size.rows - 1) }

    var isAtEnd: Bool { end >= current.count }

    /// What to write for the first page, or again after the program was stopped.
    mutating func start() -> String { show(from: top) }

    /// What to write when the terminal may have another size; nil if it has the same one.
    mutating func resized(to new: TerminalSize) -> String? {
        guard new != size else { return nil }
        let isRewrapped = new.columns != size.columns
        size = new
        guard isRewrapped else { return show(from: top) }
        // Rows wrap differently, so the page starts again with its action: no row may be skipped.
        let start = current.prefix(top + 1).last { isStartOfAction($0) }.map(Self.actionNumber)
        current = rows(new.columns)
        return show(from: current.firstIndex { isStartOfAction($0) && Self.actionNumber($0) == start } ?? 0)
    }

    private func isStartOfAction(_ row: String) -> Bool { actionPrefix.map(row.hasPrefix) ?? false }

    /// `action 12` of `action 12 of 1,000    …`.
    private static func actionNumber(_ row: String) -> String {
        row.split(separator: " ").prefix(2).joined(separator: " ")
    }

    enum Step: Equatable {
        case write(String)
        /// The user is done: the summary and the question follow.
        case finished(String)
    }

    /// The effect of a key.
    mutating func press(_ key: UInt8) -> Step {
        message = ""
        if let typed { return .write(type(key, after: typed)) }
        switch key {
        case UInt8(ascii: " "), UInt8(ascii: "f"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            return isAtEnd ? .finished(Self.clear) : .write(show(from: end))
        case UInt8(ascii: "b"): return .write(show(from: before(top)))
        case UInt8(ascii: "q"): return .finished(Self.clear)
        case UInt8(ascii: "n"): return .write(find())
        case UInt8(ascii: "/"):
            typed = (key, "")
            return .write(status)
        case UInt8(ascii: "g") where actionPrefix != nil:
            typed = (key, "")
            return .write(status)
        default: return .write(status)
        }
    }

    // MARK: - pages

    /// Shows the page that starts with a row. A row that is wider than the terminal takes several
    /// of its rows.
    private mutating func show(from row: Int) -> String {
        top = min(row, current.count)
        end = top
        var height = 0
        while end < current.count {
            height += [current[end]].height(at: size.columns)
            guard height <= page || end == top else { break }
            end += 1
        }
        return Self.clear + current[top..<end].map { $0 + "\n" }.joined() + status
    }

    /// The first row of the page before a row.
    private func before(_ row: Int) -> Int {
        var (first, height) = (row, 0)
        while first > 0 {
            height += [current[first - 1]].height(at: size.columns)
            guard height <= page || first == row else { break }
            first -= 1
        }
        return first
    }

    // MARK: - search

    private mutating func type(_ key: UInt8, after typed: (command: UInt8, text: String)) -> String {
        switch key {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            self.typed = nil
            if typed.command == UInt8(ascii: "g") { return goToAction(typed.text) }
            if !typed.text.isEmpty { search = typed.text }
            return find()
        case 0x7f, 0x08: self.typed?.text = String(typed.text.dropLast())
        case 0x1b: self.typed = nil
        case UInt8(ascii: " ")...UInt8(ascii: "~") where typed.text.utf8.count < Self.typedLimit:
            self.typed?.text.append(Character(Unicode.Scalar(key)))
        default: break
        }
        return status
    }

    private static let typedLimit = 64

    /// Shows the next row that contains the text, from the row after the first one that is shown.
    private mutating func find() -> String {
        guard !search.isEmpty else { return status }
        let after = min(top + 1, current.count)
        guard
            let row = current[after...].firstIndex(where: { $0.contains(search) })
                ?? current[..<after].firstIndex(where: { $0.contains(search) })
        else {
            message = "not found"
            return status
        }
        return show(from: row)
    }

    private mutating func goToAction(_ text: String) -> String {
        guard let number = Int(text), let actionPrefix,
            let row = current.firstIndex(where: { $0.hasPrefix("\(actionPrefix)\(Amount.text(number)) of ") })
                ?? current.firstIndex(where: { $0.hasPrefix("\(actionPrefix)\(number) of ") })
        else {
            message = "no such action"
            return status
        }
        return show(from: row)
    }

    // MARK: - the status line

    /// Replaces the line (ECMA-48, EL).
    fileprivate static let clear = "\r\u{1b}[K"

    private var status: String {
        if let typed {
            let line = (typed.command == UInt8(ascii: "/") ? "/" : "action ") + typed.text
            return Self.clear + String(line.suffix(size.columns - 1))
        }
        let place = "\(Amount.text(end)) of \(Amount.text(current.count)) rows"
        let next = isAtEnd ? "space: question" : "space: next"
        let text =
            "[\(place)] " + (message.isEmpty ? "" : "(\(message)) ")
            + "\(next), b: back, /: search, \(actionPrefix == nil ? "" : "g: action, ")q: question"
        return Self.clear + String(text.prefix(size.columns - 1))
    }
}

extension Terminal {
    /// The size of the terminal now.
    var size: TerminalSize { TerminalSize(of: descriptorNumber) }

    /// Shows rows page by page until the user goes on to the question.
    borrowing func page(_ pager: consuming Pager) throws(Failure) {
        var pager = pager
        try readKeys { prompt throws(Failure) -> Void? in
            write(pager.resized(to: size) ?? pager.start())
            while true {
                guard
                    let key = try readKey(
                        at: prompt,
                        whileWaiting: {
                            if let text = pager.resized(to: size) { write(text) }
                        })
                else {
                    // The shell's prompt, or the page after a stop, replaces the status line.
                    write(Pager.clear)
                    return nil
                }
                if let text = pager.resized(to: size) { write(text) }
                switch pager.press(key) {
                case .write(let text): write(text)
                case .finished(let text):
                    write(text)
                    return ()
                }
            }
        }
    }
}
