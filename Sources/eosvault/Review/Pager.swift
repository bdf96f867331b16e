import Files

/// Shows rows page by page, at a terminal that is not cleared: each row stays in the scroll-back.
/// No other program runs.
struct Pager {
    /// The rows for a number of columns.
    let rows: (_ columns: Int) -> [String]
    /// The beginning of the row with which an action starts, for `g`: `action 12 of `.
    let actionPrefix: String

    private var size: TerminalSize
    private var current: [String]
    /// The row after the last one that was shown.
    private var position = 0
    private var search = ""
    /// The text that is being typed after `/` or `g`.
    private var typed: (command: UInt8, text: String)?
    private var message = ""

    init(size: TerminalSize, actionPrefix: String, rows: @escaping (_ columns: Int) -> [String]) {
        self.rows = rows
        self.actionPrefix = actionPrefix
        self.size = size
        current = rows(size.columns)
    }

    /// The rows of a page; one row is for the status line.
    private var page: Int { max(1, size.rows - 1) }

    var isAtEnd: Bool { position >= current.count }

    /// What to write for the first page, or again after the program was stopped.
    mutating func start() -> String {
        position = max(0, position - page)
        return nextPage()
    }

    /// What to write when the terminal may have another size; nil if it has the same one.
    mutating func resized(to new: TerminalSize) -> String? {
        guard new != size else { return nil }
        let top = max(0, position - page)
        let before = max(1, current.count)
        size = new
        current = rows(new.columns)
        position = min(current.count, top * current.count / before)
        return nextPage()
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
            return isAtEnd ? .finished(Self.clear) : .write(nextPage())
        case UInt8(ascii: "b"):
            position = max(0, position - 2 * page)
            return .write(nextPage())
        case UInt8(ascii: "q"): return .finished(Self.clear)
        case UInt8(ascii: "n"): return .write(find())
        case UInt8(ascii: "/"), UInt8(ascii: "g"):
            typed = (key, "")
            return .write(status)
        default: return .write(status)
        }
    }

    // MARK: - pages

    private mutating func nextPage() -> String {
        let end = min(current.count, position + page)
        let shown = current[min(position, end)..<end]
        position = end
        return Self.clear + shown.map { $0 + "\n" }.joined() + status
    }

    /// Shows the page that starts with a row.
    private mutating func show(from row: Int) -> String {
        position = row
        return nextPage()
    }

    /// The first row of the page that is shown.
    private var top: Int { max(0, position - page) }

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
        guard let number = Int(text),
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
    private static let clear = "\r\u{1b}[K"

    private var status: String {
        if let typed {
            return Self.clear + (typed.command == UInt8(ascii: "/") ? "/" : "action ") + typed.text
        }
        let place = "\(Amount.text(position)) of \(Amount.text(current.count)) rows"
        let next = isAtEnd ? "space: question" : "space: next"
        let text =
            "[\(place)] " + (message.isEmpty ? "" : "(\(message)) ")
            + "\(next), b: back, /: search, g: action, q: skip"
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
            write(pager.start())
            while true {
                guard
                    let key = try readKey(
                        at: prompt,
                        whileWaiting: {
                            if let text = pager.resized(to: size) { write(text) }
                        })
                else { return nil }
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
