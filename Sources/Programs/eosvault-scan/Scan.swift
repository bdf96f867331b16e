import ArgumentParser
import Files
import Hardening
import Scanning
import Shell

/// The only command of the program.
struct Scan: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eosvault-scan",
        abstract: "Read QR codes from pictures or a camera, for eosvault.",
        discussion: """
            It reads PNG and JPEG pictures: photographs, screenshots, and PNG files that --qr-file of eosvault \
            wrote. In a folder, it reads the files whose names end in .png, .jpg or .jpeg. The codes of a long \
            message can be in any order and in any of the pictures. Repetitions and incomplete other messages do no \
            harm; two complete messages are an error.

            The message goes to standard output, or to a new file: a transaction as JSON with its chain id, a signing \
            request as a link, public keys in lines, anything else as it is. The program holds no keys and opens no \
            network connection. Each picture is decoded in a process of its own, which can open no file.

              eosvault-scan photo.jpg -o transfer.json
              eosvault-scan frames/ | eosvault inspect - --chain eos
              eosvault-scan --camera /dev/video0 | eosvault sign - --chain eos
            """,
        version: Release.version)

    @Argument(
        help: ArgumentHelp(
            "A picture, `-` for one on standard input, or a folder of pictures.", valueName: "picture"),
        completion: .file())
    var pictures: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read a camera until the message is complete, such as /dev/video0.", valueName: "device"),
        completion: .file())
    var camera: [String] = []

    @Flag(help: "Read a folder that a camera program fills, until the message is complete.")
    var watch = false

    @Option(
        name: .shortAndLong,
        help: ArgumentHelp("Write to a new file instead of standard output.", valueName: "file"),
        completion: .file())
    var output: [String] = []

    @Flag(help: "Print JSON: the message, its type, and what was read.")
    var json = false

    @Flag(name: .customLong("no-sandbox"), help: "Run without the sandbox, only for debugging.")
    var isUnconfined = false

    @Flag(help: .hidden)
    var statuses = false

    func validate() throws {
        if statuses { return }
        for (name, values) in [("--camera", camera), ("--output", output)] where values.count > 1 {
            throw ValidationError("\(name) is given twice but takes one value")
        }
        if camera.isEmpty, pictures.isEmpty {
            throw ValidationError("give pictures, a folder, or --camera DEVICE")
        }
        if !camera.isEmpty, !pictures.isEmpty { throw ValidationError("give either pictures or --camera") }
        if watch, pictures.count != 1 || pictures == ["-"] {
            throw ValidationError("--watch needs exactly one folder")
        }
        if pictures.count(where: { $0 == "-" }) > 1 {
            throw ValidationError("standard input can be read only once")
        }
        guard (camera + output + pictures).allSatisfy({ !$0.isEmpty }) else {
            throw ValidationError("a name is empty")
        }
    }

    mutating func run() throws {
        // For the manual page.
        if statuses { return try Output.json(ExitStatus.json) }
        let file = output.first.flatMap { $0 == "-" ? nil : $0 }
        try confine(writing: file)
        let delivery = try Delivery(file)
        let session = ScanSession()
        let message =
            if let device = camera.first {
                try session.read(camera: device)
            } else if watch, let folder = pictures.first { try session.watch(folder) } else {
                try session.read(pictures)
            }
        try delivery.write(message, session, asJSON: json)
    }

    private func confine(writing file: String?) throws {
        guard !isUnconfined else { return Messages.warning("the sandbox is off (--no-sandbox)") }
        var access = FileAccess.none
        for path in pictures where path != "-" {
            access = access + .readingBeneath(path)
            if let descriptor = InputFile(path: path).descriptor { access = access + .descriptor(descriptor) }
        }
        if let device = camera.first { access = access + .reading(device) }
        if let file { access = access + .making(in: FilePath.folder(of: file)) }
        try Confinement.begin(access, .scanner)
        let support = SandboxSupport.ofThisKernel()
        if !support.isWhole {
            Messages.warning("the kernel offers only a part of the sandbox: read only your own pictures")
        }
    }
}
