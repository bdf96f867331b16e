import AirGap
import Glibc
import Shell

/// Draws codes on the terminal with half-blocks.
enum QRDisplay {
    /// Refuses a standard output that is not a terminal, and a terminal without colours.
    static func expectTerminal() throws(CommandError) {
        guard isatty(STDOUT_FILENO) == 1 else { throw .qrNoTerminal }
        guard Environment["TERM"] != "dumb" else { throw .qrPlainTerminal }
    }

    /// Shows one code if it fits, or a sequence until a key is pressed.
    /// - Parameter fragment: the most bytes in each code of a sequence; nil for as many as fit.
    static func show(_ content: QRContent, fragment: Int?) throws {
        let size = TerminalSize(of: STDOUT_FILENO)
        switch try picture(content, fragment: fragment, size) {
        case .code(let code): try show(code, size)
        case .sequence(let sequence): try Terminal.open(for: .codes).show(sequence)
        }
    }

    /// Refuses a terminal that is too small.
    static func expectRoom(for content: QRContent, fragment: Int?) throws {
        _ = try picture(content, fragment: fragment, TerminalSize(of: STDOUT_FILENO))
    }

    /// One code, if the user allows it and it fits. Otherwise the sequence with the fewest codes.
    private static func picture(
        _ content: QRContent, fragment: Int?, _ size: TerminalSize
    ) throws(CommandError) -> QRPicture {
        var pictures: [QRPicture] = []
        var allowed: Int?
        if fragment == nil || content.message == nil, let code = content.code(upTo: .largest) {
            pictures.append(.code(code))
        }
        if let message = content.message, !pictures.contains(where: { $0.size.fits(size) }) {
            let largest = QRText.largestVersion(columns: size.columns, rows: size.rows - 1)
            let fitting = try QRSequence.largest(message, upTo: largest)
            let sequence = if let fragment { try QRSequence(message, fragment: fragment) } else { fitting }
            pictures.append(sequence.count > 1 ? .sequence(sequence) : .code(try sequence.code(1)))
            if fragment != nil, QRPicture.sequence(fitting).size.fits(size) { allowed = fitting.fragment }
        }
        if let picture = pictures.first(where: { $0.size.fits(size) }) { return picture }
        guard let smallest = pictures.map(\.size).min(by: { $0.columns < $1.columns }) else {
            throw .qrTooLong
        }
        throw .qrTerminalTooSmall(needed: smallest, actual: size, fragment: allowed)
    }

    /// Without a final line feed if the code fills the screen: it would scroll the first row away.
    private static func show(_ code: QRCode, _ size: TerminalSize) throws {
        let lines = QRText(code, style: .colours).lines
        try Output.data(lines.joined(separator: "\n") + (lines.count < size.rows ? "\n" : ""))
    }
}

extension QRPicture {
    /// The columns and rows of a code. A sequence has a row below it.
    fileprivate var size: TerminalSize {
        let (version, counter) =
            switch self {
            case .code(let code): (code.version, 0)
            case .sequence(let sequence): (sequence.version, 1)
            }
        return TerminalSize(rows: QRText.rows(version) + counter, columns: QRText.columns(version))
    }
}

extension TerminalSize {
    fileprivate func fits(_ window: TerminalSize) -> Bool { rows <= window.rows && columns <= window.columns }
}

extension Terminal {
    /// Shows the codes of a sequence one after the other, on a separate screen, until a key is
    /// pressed. A signal restores the terminal before it ends or stops the program.
    fileprivate borrowing func show(_ sequence: QRSequence) throws {
        var frame = QRFrame(sequence)
        var failure: CommandError?
        try readKeys { prompt throws(Failure) -> Void? in
            write(QRFrame.open)
            defer { write(QRFrame.close) }
            func draw() {
                do throws(CommandError) { write(try frame.text(size)) } catch { failure = error }
            }
            draw()
            let key = try readKey(at: prompt) { if frame.isDue() { draw() } }
            return key == nil ? nil : ()
        }
        if let failure { throw failure }
    }
}

/// The code of a sequence that is on the screen now.
private struct QRFrame {
    /// The separate screen of xterm, cleared (ECMA-48), without the cursor.
    static let open = "\u{1b}[?1049h\u{1b}[H\u{1b}[J\u{1b}[?25l"
    static let close = "\u{1b}[?25h\u{1b}[?1049l"
    /// Tenths of a second for each code. Readers miss codes that change faster.
    private static let ticksPerCode = 2

    private let sequence: QRSequence
    private var number = 1
    private var ticks = 0

    init(_ sequence: QRSequence) { self.sequence = sequence }

    /// Counts a tenth of a second, and goes to the next code when its time has come.
    mutating func isDue() -> Bool {
        ticks += 1
        guard ticks.isMultiple(of: Self.ticksPerCode) else { return false }
        number += 1
        return true
    }

    /// The code and the row below it. A terminal that became too small shows the needed size.
    func text(_ size: TerminalSize) throws(CommandError) -> String {
        let home = "\u{1b}[H"
        let needed = QRPicture.sequence(sequence).size
        guard needed.fits(size) else { return home + "\u{1b}[J" + Words.qrWindow(needed) }
        let lines = QRText(try sequence.code(number), style: .colours).lines
        // The rest of each row and of the screen may contain an earlier text.
        return home + lines.map { $0 + "\u{1b}[K\n" }.joined()
            + String(Words.qrCounter(number, of: sequence.count).prefix(size.columns - 1)) + "\u{1b}[J"
    }
}
