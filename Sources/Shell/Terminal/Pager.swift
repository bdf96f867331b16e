/// Shows rows page by page, at a terminal that is not cleared: each row stays in the scroll-back.
/// No other program runs.
package struct Pager {
    private let pages: ReviewPages
    private var size: TerminalSize
    /// The rows of the parts that were made last, for the columns of the terminal.
    private var made: [(part: Int, rows: [String])] = []
    /// The number of rows of each part, estimated until it was made.
    private var counts: [Int]
    /// The first row of the page that is shown.
    private var top = Place()
    /// The row after the last one that was shown.
    private var end = Place()
    private var search = ""
    /// The part to search next, and how many are left; nil if no search is under way.
    private var searched: (next: Int, left: Int)?
    /// The text that is being typed after `/` or `g`.
    private var typed: (command: UInt8, text: String)?
    private var message = ""
    /// Why a part could not be made. The review must then not be signed.
    package private(set) var failure: (any Error)?

    private struct Place {
        var part = 0
        var row = 0
    }

    package init(size: TerminalSize, _ pages: ReviewPages) {
        (self.size, self.pages) = (size, pages)
        counts = Array(repeating: pages.estimate, count: pages.count)
    }

    /// The rows of a page; one row is for the status line.
    private var page: Int { max(1, size.rows - 1) }

    package var isAtEnd: Bool { end.part >= pages.count }

    /// The output for the first page, also again after the program was stopped.
    package mutating func start() -> String { show(from: top) }

    /// The output when the terminal may have another size; nil if it has the same one.
    package mutating func resized(to new: TerminalSize) -> String? {
        guard new != size else { return nil }
        let isRewrapped = new.columns != size.columns
        // Rows wrap differently, so the page starts again with its action: no row may be skipped.
        let before = isRewrapped ? rows(of: top.part) : []
        size = new
        guard isRewrapped else { return show(from: top) }
        let start = before.prefix(top.row + 1).last { isStart($0) }.map(Self.number)
        made = []
        let row = rows(of: top.part).firstIndex { isStart($0) && Self.number($0) == start }
        return show(from: Place(part: top.part, row: row ?? 0))
    }

    private func isStart(_ row: String) -> Bool { row.hasPrefix(pages.noun + " ") }

    /// `action 12` of `action 12 of 1,000    …`.
    private static func number(_ row: String) -> String {
        row.split(separator: " ").prefix(2).joined(separator: " ")
    }

    package enum Step: Equatable {
        case write(String)
        /// The user is done: the summary and the question follow.
        case finished(String)
    }

    /// The effect of a key.
    package mutating func press(_ key: UInt8) -> Step {
        message = ""
        if let typed { return .write(type(key, after: typed)) }
        switch key {
        case UInt8(ascii: " "), UInt8(ascii: "f"), UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            return isAtEnd ? .finished(Self.clear) : .write(show(from: end))
        case UInt8(ascii: "b"): return .write(show(from: before(top)))
        case UInt8(ascii: "q"): return .finished(Self.clear)
        case UInt8(ascii: "n"): return .write(find())
        case UInt8(ascii: "/"), UInt8(ascii: "g"):
            typed = (key, "")
            return .write(status)
        default: return .write(status)
        }
    }

    // MARK: - rows

    private static let madeLimit = 4

    /// The rows of a part; none after a failure.
    private mutating func rows(of part: Int) -> [String] {
        if let found = made.first(where: { $0.part == part }) { return found.rows }
        guard failure == nil, part < pages.count else { return [] }
        let rows: [String]
        do { rows = try pages.rows(part, size.columns) } catch {
            failure = error
            return []
        }
        counts[part] = rows.count
        if made.count == Self.madeLimit { made.removeFirst() }
        made.append((part, rows))
        return rows
    }

    /// The row at a place, which moves on to the next part at the end of one.
    private mutating func row(at place: inout Place) -> String? {
        while place.part < pages.count, failure == nil {
            let rows = rows(of: place.part)
            if place.row < rows.count { return rows[place.row] }
            place = Place(part: place.part + 1)
        }
        return nil
    }

    /// The place of the row before; nil at the start.
    private mutating func previous(_ place: Place) -> Place? {
        var place = place
        while place.row == 0 {
            guard place.part > 0, failure == nil else { return nil }
            place.part -= 1
            place.row = rows(of: place.part).count
        }
        return Place(part: place.part, row: place.row - 1)
    }

    /// Shows the page that starts with a row. A row that is wider than the terminal takes several
    /// of its rows.
    private mutating func show(from place: Place) -> String {
        searched = nil
        var next = place
        _ = row(at: &next)
        top = next
        var (height, shown) = (0, "")
        while let row = row(at: &next) {
            height += [row].height(at: size.columns)
            guard height <= page || shown.isEmpty else { break }
            shown += row + "\n"
            next.row += 1
        }
        end = next
        return Self.clear + shown + status
    }

    /// The first row of the page before a row.
    private mutating func before(_ place: Place) -> Place {
        var (first, height) = (place, 0)
        while let previous = previous(first) {
            var at = previous
            height += row(at: &at).map { [$0].height(at: size.columns) } ?? 0
            guard height <= page || (first.part, first.row) == (place.part, place.row) else { break }
            first = previous
        }
        return first
    }

    // MARK: - search

    private mutating func type(_ key: UInt8, after typed: (command: UInt8, text: String)) -> String {
        switch key {
        case UInt8(ascii: "\r"), UInt8(ascii: "\n"):
            self.typed = nil
            if typed.command == UInt8(ascii: "g") { return go(to: typed.text) }
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
    /// Other parts are searched by `searchStep`.
    private mutating func find() -> String {
        guard !search.isEmpty else { return status }
        let rows = rows(of: top.part)
        let after = min(top.row + 1, rows.count)
        if let row = rows[after...].firstIndex(where: { $0.contains(search) }) {
            return show(from: Place(part: top.part, row: row))
        }
        searched = ((top.part + 1) % max(1, pages.count), pages.count)
        return pages.count == 1 ? searchStep() : status
    }

    package var isSearching: Bool { searched != nil }

    /// Searches one part.
    /// - Returns: the output: the page with the text, or the progress.
    package mutating func searchStep() -> String {
        guard let (part, left) = searched else { return status }
        if let row = rows(of: part).firstIndex(where: { $0.contains(search) }) {
            return show(from: Place(part: part, row: row))
        }
        searched = left > 1 && failure == nil ? ((part + 1) % pages.count, left - 1) : nil
        if searched == nil { message = "not found" }
        return status
    }

    /// The output when a key ends the search.
    package mutating func endSearch() -> String {
        (searched, message) = (nil, "search ended")
        return status
    }

    private mutating func go(to text: String) -> String {
        let number = Int(text)
        if let number, let part = pages.part(number) {
            let texts = [Amount.text(number), "\(number)"].map { "\(pages.noun) \($0)" }
            // The rest may be on the next row.
            let row = rows(of: part).firstIndex { row in
                texts.contains { row == $0 || row.hasPrefix($0 + pages.suffix) }
            }
            if let row {
                return show(from: Place(part: part, row: row))
            }
        }
        message = "no such \(pages.noun)"
        return status
    }

    // MARK: - the status line

    /// Replaces the line (ECMA-48, EL).
    fileprivate static let clear = "\r\u{1b}[K"

    private var status: String {
        if let typed {
            let line = (typed.command == UInt8(ascii: "/") ? "/" : "\(pages.noun) ") + typed.text
            return Self.clear + String(line.suffix(size.columns - 1))
        }
        if let searched {
            let text =
                "searching, part \(Amount.text(pages.count - searched.left + 1)) of \(Amount.text(pages.count))"
            return Self.clear + String((text + "; any key ends the search").prefix(size.columns - 1))
        }
        let shown = counts.prefix(end.part).reduce(0, +) + end.row
        let place = "\(Amount.text(shown)) of \(Amount.text(counts.reduce(0, +))) rows"
        let next = isAtEnd ? "space: question" : "space: next"
        let text =
            "[\(place)] " + (message.isEmpty ? "" : "(\(message)) ")
            + "\(next), b: back, /: search, g: \(pages.noun), q: question"
        return Self.clear + String(text.prefix(size.columns - 1))
    }
}

extension Terminal {
    /// The size of the terminal now.
    package var size: TerminalSize { TerminalSize(of: descriptor) }

    /// Shows rows page by page until the user goes on to the question.
    /// - Throws: `Failure`, and the errors of the pages.
    package borrowing func page(_ pager: consuming Pager) throws {
        var pager = pager
        try readKeys { prompt throws(Failure) -> Void? in
            write(pager.resized(to: size) ?? pager.start())
            while pager.failure == nil {
                guard let key = try readKey(at: prompt, of: &pager) else {
                    // The shell's prompt, or the page after a stop, replaces the status line.
                    write(Pager.clear)
                    return nil
                }
                if let text = pager.resized(to: size) { write(text) }
                guard !pager.isSearching else {
                    write(pager.endSearch())
                    continue
                }
                switch pager.press(key) {
                case .write(let text): write(text)
                case .finished(let text):
                    write(text)
                    return ()
                }
            }
            write(Pager.clear)
            return ()
        }
        if let failure = pager.failure { throw failure }
    }

    /// Reads a key. Meanwhile, a search goes on, and the rows follow the size of the terminal.
    private borrowing func readKey(
        at prompt: borrowing TerminalPrompt, of pager: inout Pager
    ) throws(Failure) -> UInt8? {
        while pager.isSearching, pager.failure == nil {
            switch try prompt.wait(for: descriptor, milliseconds: 0) {
            case .nothing:
                watch(.nothing)
                write(pager.searchStep())
            case .input, .signal: return try readKey(at: prompt, whileWaiting: {})
            }
        }
        guard pager.failure == nil else { return 0 }
        return try readKey(at: prompt) { if let text = pager.resized(to: size) { write(text) } }
    }
}
