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

    /// One code, or a sequence.
    private enum Picture {
        case code(QRCode)
        case sequence(QRSequence)
    }

    /// Shows one code if it fits, or a sequence until a key is pressed.
    /// - Parameter fragment: nil prefers one code.
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

    private static func picture(_ content: QRContent, fragment: Int?, _ size: TerminalSize) throws -> Picture
    {
        let code = fragment == nil || content.message == nil ? content.code(upTo: .largest) : nil
        if let code, let largest = QRText.largestVersion(columns: size.columns, rows: size.rows),
            code.version <= largest
        {
            return .code(code)
        }
        let sequence = try content.message.map { try QRSequence($0, fragment: fragment) }
        guard let sequence, sequence.count > 1, code.map({ sequence.version < $0.version }) ?? true else {
            guard let code = try code ?? sequence?.code(1) else { throw CommandError.qrTooLong }
            try expectRoom(for: code.version, counter: 0, content, size)
            return .code(code)
        }
        try expectRoom(for: sequence.version, counter: 1, content, size)
        return .sequence(sequence)
    }

    /// Without a final line feed if the code fills the screen: it would scroll the first row away.
    private static func show(_ code: QRCode, _ size: TerminalSize) throws {
        let lines = QRText(code, style: .colours).lines
        try Output.data(lines.joined(separator: "\n") + (lines.count < size.rows ? "\n" : ""))
    }

    /// - Parameter counter: rows below the code.
    private static func expectRoom(
        for version: QRVersion, counter: Int, _ content: QRContent, _ size: TerminalSize
    ) throws(CommandError) {
        let needed = TerminalSize(rows: QRText.rows(version) + counter, columns: QRText.columns(version))
        guard needed.rows <= size.rows, needed.columns <= size.columns else {
            let largest = QRText.largestVersion(columns: size.columns, rows: size.rows - 1)
            throw .qrTerminalTooSmall(
                needed: needed, actual: size,
                fragment: largest.flatMap { largest in
                    content.message.flatMap { QRSequence.largestFragment($0, upTo: largest) }
                })
        }
    }
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
        let (rows, columns) = (QRText.rows(sequence.version) + 1, QRText.columns(sequence.version))
        guard rows <= size.rows, columns <= size.columns else {
            return home + "\u{1b}[J" + Words.qrWindow(rows: rows, columns: columns)
        }
        let lines = QRText(try sequence.code(number), style: .colours).lines
        // The rest of each row and of the screen may contain an earlier text.
        return home + lines.map { $0 + "\u{1b}[K\n" }.joined()
            + String(Words.qrCounter(number, of: sequence.count).prefix(size.columns - 1)) + "\u{1b}[J"
    }
}
