import AirGap
import ArgumentParser
import Hardening
import KeyVault
import Shell

/// Shows a result as QR codes: at the terminal, or as a picture.
struct QROptions: ParsableArguments {
    /// The allowed bytes in each code of a sequence.
    static let fragments = UREncoder.minimumFragment...1000

    @Flag(
        name: .customLong("qr"),
        help: "Show the result as a QR code at the terminal; as a sequence of codes if one is not enough.")
    var isShown = false

    @Option(
        help: ArgumentHelp(
            "Write the QR code to a new file, a .png or .svg picture. A sequence is an animated PNG, or numbered SVG "
                + "files.",
            valueName: "file"),
        completion: .file(extensions: ["png", "svg"]))
    var qrFile: String?

    @Option(
        help: ArgumentHelp(
            "Show a sequence with at most this many bytes of the message in each code, 10 to 1000 (120 if one code is "
                + "not enough).", valueName: "bytes"))
    var qrFragment: Int?

    func validate() throws {
        guard let qrFragment else { return }
        guard makesCodes else { throw ValidationError("--qr-fragment needs --qr or --qr-file") }
        guard Self.fragments.contains(qrFragment) else {
            throw ValidationError(
                "--qr-fragment is \(Self.fragments.lowerBound) to \(Self.fragments.upperBound) bytes")
        }
    }

    var makesCodes: Bool { isShown || qrFile != nil }

    /// Refuses --json, whose output is for programs.
    func expectText(_ json: JSONOption) throws {
        guard isShown, json.isOn else { return }
        throw ValidationError("--qr shows a code and --json prints JSON: omit one of them")
    }

    var fileAccess: FileAccess { (isShown ? .terminal : .none) + OutputFile.fileAccess(to: qrFile) }

    /// Refuses a terminal that can't show codes, and a file that can't be made. Call
    /// it before any question and before signing.
    /// - Parameter sample: a content of the same size, if the size is known.
    func prepared(for sample: QRContent? = nil) throws -> QROutput {
        if isShown {
            try QRDisplay.expectTerminal()
            if let sample { try QRDisplay.expectRoom(for: sample, fragment: qrFragment) }
        }
        return QROutput(isShown: isShown, file: try qrFile.map { try QRFile($0) }, fragment: qrFragment)
    }
}

/// The prepared outputs of `QROptions`.
struct QROutput {
    let isShown: Bool
    fileprivate let file: QRFile?
    fileprivate let fragment: Int?

    /// Writes the file of --qr-file.
    func write(_ content: @autoclosure () throws -> QRContent) throws {
        guard let file else { return }
        try placed(at: file.path) { try file.write(content(), fragment: fragment) }
    }

    /// Shows the codes of --qr.
    func show(_ content: @autoclosure () throws -> QRContent) throws {
        if isShown { try QRDisplay.show(content(), fragment: fragment) }
    }

    /// Writes the file and shows the codes of keys.
    func deliver(_ keys: [EntryDescription]) throws {
        try write(QRContent(keys: keys))
        try show(QRContent(keys: keys))
    }
}
