import AirGap
import ArgumentParser
import Hardening
import Keys
import Shell

struct ShowFile: PlainCommand {
    static let configuration = CommandConfiguration(
        commandName: "qr",
        abstract: "Show a node's answer or an ABI as QR codes, for the offline machine.",
        discussion: """
            A review on the offline machine may need public files: ABIs, and the answers of a node to get_info, \
            get_block, get_account and get_table_rows. This command shows such a file on the online machine, which \
            needs no vault. On the offline machine, `eosvault-scan -o FILE` writes it to a new file. Both programs \
            print what the file is recognised as, and its SHA-256: compare them. The name of the file is not sent.

            The file is JSON, or an ABI in any form, and has at most 1,000,000 bytes. It is compressed. Without \
            --qr-file, the terminal shows the codes until you press a key. For a transaction, use \
            `eosvault transaction pack --qr`, whose codes state the chain.

              eosvault qr info.json --qr-file info.png
              eosvault qr token.abi.json --qr-file token.png
            """)

    @Argument(help: "The file; `-` for standard input.")
    var file: InputFile

    @OptionGroup var picture: QRPictureOptions
    @OptionGroup var common: MessageOptions

    /// Without a file for the picture, the terminal shows the codes.
    private var isShown: Bool { picture.qrFile == nil }

    var requiredAccess: FileAccess { file.fileAccess + picture.fileAccess(showing: isShown) }

    func run() throws {
        let codes = try picture.prepared(showing: isShown)
        let message = try placed(at: file.name) {
            let content: [UInt8]
            do throws(InputFile.Failure) { content = try file.read(atMost: FileMessage.maximumLength) } catch
            {
                if case .tooLong(let limit) = error { throw FileRefusal.tooLong(limit: limit) }
                throw error
            }
            return try FileMessage(content: content)
        }
        let content = try QRContent(.file(message))
        try codes.expectRoom(for: content)
        Messages.note(Words.shownFile(message.description))
        try codes.deliver(content)
    }
}
