import AirGap
import ArgumentParser
import Files
import Hardening
import KeyVault
import Shell

/// Shows a result as QR codes: at the terminal, or as a picture.
package struct QROptions: ParsableArguments {
    package init() {}

    /// No codes at the terminal.
    init(picture: QRPictureOptions) {
        isShown = false
        self.picture = picture
    }

    @Flag(
        name: .customLong("qr"),
        help: "Show the result as a QR code, or as a sequence of codes, at the terminal.")
    package var isShown = false

    @OptionGroup package var picture: QRPictureOptions

    package func validate() throws {
        if picture.qrFragment != nil, !makesCodes {
            throw ValidationError("--qr-fragment needs --qr or --qr-file")
        }
    }

    package var makesCodes: Bool { isShown || picture.qrFile != nil }

    /// Refuses --json, whose output is for programs.
    func expectText(_ json: JSONOption) throws {
        guard isShown, json.isOn else { return }
        throw ValidationError("--qr shows a code and --json prints JSON: omit one of them")
    }

    package var fileAccess: FileAccess { picture.fileAccess(showing: isShown) }

    package func prepared() throws -> QROutput { try picture.prepared(showing: isShown) }
}

/// The file of the codes, and their size.
package struct QRPictureOptions: ParsableArguments {
    package init() {}

    init(file: String?, fragment: Int?) { (qrFile, qrFragment) = (file, fragment) }

    /// The allowed bytes in each code of a sequence.
    static let fragments = UREncoder.minimumFragment...1000

    @Option(
        help: ArgumentHelp(
            "Write the QR code to a new .png or .svg file. A sequence becomes an animated PNG or numbered SVG files.",
            valueName: "file"),
        completion: .file(extensions: ["png", "svg"]))
    package var qrFile: String?

    @Option(
        help: ArgumentHelp(
            "Show a sequence, with at most this many bytes in each code: 10 to 1000 (default: if one code is not "
                + "enough, as many as fit the window, or 120 in a file).", valueName: "bytes"))
    package var qrFragment: Int?

    package func validate() throws {
        guard let qrFragment, !Self.fragments.contains(qrFragment) else { return }
        throw ValidationError(
            "--qr-fragment is \(Self.fragments.lowerBound) to \(Self.fragments.upperBound) bytes")
    }

    func fileAccess(showing isShown: Bool) -> FileAccess {
        (isShown ? .terminal : .none) + OutputFile.fileAccess(to: qrFile)
    }

    /// Refuses an output that can't show codes, and a file that can't be made. Call it before any
    /// question.
    func prepared(showing isShown: Bool) throws -> QROutput {
        if isShown { try QRDisplay.expectTerminal() }
        return QROutput(isShown: isShown, file: try qrFile.map { try QRFile($0) }, fragment: qrFragment)
    }
}

/// The prepared outputs of `QROptions`.
package struct QROutput {
    package let isShown: Bool
    fileprivate let file: QRFile?
    fileprivate let fragment: Int?

    /// Refuses a window that is too small, and a content that is too long. Call it before a
    /// question, with a content that takes as much space as the result.
    package func expectRoom(for content: @autoclosure () throws -> QRContent) throws {
        guard isShown || file != nil else { return }
        let content = try content()
        if isShown { try QRDisplay.expectRoom(for: content, fragment: fragment) }
        if let file { _ = try placed(at: file.path) { try QRFile.picture(content, fragment: fragment) } }
    }

    /// Writes the file of --qr-file.
    package func write(_ content: @autoclosure () throws -> QRContent) throws {
        guard let file else { return }
        try placed(at: file.path) { try file.write(content(), fragment: fragment) }
    }

    /// Shows the codes of --qr.
    package func show(_ content: @autoclosure () throws -> QRContent) throws {
        if isShown { try QRDisplay.show(content(), fragment: fragment) }
    }

    /// Writes the file and shows the codes.
    func deliver(_ content: @autoclosure () throws -> QRContent) throws {
        guard isShown || file != nil else { return }
        let content = try content()
        try expectRoom(for: content)
        try write(content)
        try show(content)
    }
}

/// The picture of --qr-file. A sequence is an animated PNG picture, or SVG files with numbers.
struct QRFile {
    enum Format: String {
        case png, svg

        init?(path: String) {
            guard let dot = path.lastIndex(of: "."), dot != path.startIndex else { return nil }
            self.init(rawValue: path[path.index(after: dot)...].lowercased())
        }
    }

    /// Pixels per module, of one code and of an animation.
    private static let (scale, animationScale) = (8, 4)
    private static let millisecondsPerCode: UInt16 = 200

    private let file: NewFile
    private let format: Format

    var path: String { file.path }

    /// Refuses another kind of file, a file that exists and a folder that can't be written.
    init(_ path: String) throws {
        guard let format = Format(path: path) else {
            throw ValidationError("--qr-file needs a name that ends in .png or .svg")
        }
        self.format = format
        file = try placed(at: path) { try OutputFile(path: path).prepared(for: .publicData) }
    }

    /// One code if the user allows it, or a sequence.
    /// - Parameter fragment: nil prefers one code.
    static func picture(_ content: QRContent, fragment: Int?) throws(CommandError) -> QRPicture {
        if fragment == nil || content.message == nil, let code = content.code(upTo: .largest) {
            return .code(code)
        }
        guard let message = content.message else { throw .qrTooLong }
        let sequence = try QRSequence(message, fragment: fragment ?? QRSequence.pictureFragment(message))
        return sequence.count > 1 ? .sequence(sequence) : .code(try sequence.code(1))
    }

    func write(_ content: QRContent, fragment: Int?) throws {
        let sequence: QRSequence
        switch try Self.picture(content, fragment: fragment) {
        case .code(let code): return try write(code)
        case .sequence(let parts): sequence = parts
        }
        // A reader that misses codes needs more than the least number. Then the sequence repeats.
        let codes = try (1...(2 * sequence.count)).map { try sequence.code($0) }
        switch format {
        case .png:
            let picture = try QRAnimation(codes).png(
                scale: Self.animationScale, milliseconds: Self.millisecondsPerCode)
            try write(picture, to: file)
            Messages.note(Words.wroteCodes(path, count: codes.count, least: sequence.count))
        case .svg: try write(numbered: codes, least: sequence.count)
        }
    }

    private func write(_ code: QRCode) throws {
        switch format {
        case .png: try write(code.png(scale: Self.scale), to: file)
        case .svg: try write(Array(code.svg.utf8), to: file)
        }
        Messages.note(Words.wrote(path))
    }

    /// Writes `codes-001.svg` and so on for `codes.svg`.
    private func write(numbered codes: [QRCode], least: Int) throws {
        let stem = path.dropLast(format.rawValue.count + 1)
        let digits = max(3, String(codes.count).count)
        let files = try (1...codes.count).map { number in
            let padding = String(repeating: "0", count: digits - String(number).count)
            let path = "\(stem)-\(padding)\(number).\(format.rawValue)"
            return try placed(at: path) { try OutputFile(path: path).prepared(for: .publicData) }
        }
        for (code, file) in zip(codes, files) { try write(Array(code.svg.utf8), to: file) }
        Messages.note(Words.wroteNumbered(files[0].path, files[files.count - 1].path, least: least))
    }

    private func write(_ bytes: [UInt8], to file: NewFile) throws(Output.Failure) {
        do throws(FileError) { _ = try file.write(bytes) } catch { throw Output.Failure(error) }
    }
}
