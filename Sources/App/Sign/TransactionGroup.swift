import AirGap
import ArgumentParser
import Codecs
import Hardening
import JSON
import Keys
import Shell
import Transactions

struct TransactionGroup: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transaction", abstract: "Convert a transaction, offline.",
        subcommands: [Pack.self, Unpack.self, ID.self, Digest.self])

    struct Pack: PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "pack",
            abstract: "Print the transaction as packed JSON, or show it as QR codes.",
            discussion: """
                With --qr or --qr-file and --chain, it makes QR codes of a transaction, signed or not, on a machine \
                without a vault: the signing machine reads them with eosvault-scan.

                  eosvault transaction pack transfer.json
                  eosvault transaction pack transfer.json --chain eos --qr-file transfer.png
                """)

        @OptionGroup var transaction: TransactionOptions
        @Flag(help: "Print only the packed transaction, in hex.")
        var hex = false
        @Option(name: .shortAndLong, help: .chain, completion: .chains)
        var chain: ChainArgument?

        @OptionGroup var qr: QROptions
        @OptionGroup var common: MessageOptions

        var requiredAccess: FileAccess { transaction.fileAccess + qr.fileAccess }

        func run() throws {
            let codes = try qr.prepared()
            if qr.makesCodes, chain == nil { throw ValidationError("a QR code needs --chain") }
            let signed = try transaction.read()
            if let chain = try chain?.value {
                try placed(at: transaction.input.name) { try signed.expectChain(chain) }
                let message = AirGapMessage.transaction(TransactionMessage(chain: chain, transaction: signed))
                try codes.deliver(QRContent(message))
                if qr.isShown { return }
            }
            try Output.data(
                (hex ? Hex.encode(signed.packed) : Printable.json(signed.packedJSON, .pretty)) + "\n")
        }
    }

    struct Unpack: PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "unpack",
            abstract: "Print the transaction as unpacked JSON, with action data in hex as cleos prints it.",
            discussion: "  eosvault transaction unpack transfer.packed.json")

        @OptionGroup var transaction: TransactionOptions

        @OptionGroup var common: MessageOptions

        var requiredAccess: FileAccess { transaction.fileAccess }

        func run() throws {
            try Output.data(Printable.json(transaction.read().json, .pretty) + "\n")
        }
    }

    struct ID: PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "id", abstract: "Print the transaction id.",
            discussion: "  eosvault transaction id transfer.json")

        @OptionGroup var transaction: TransactionOptions

        @OptionGroup var common: MessageOptions

        var requiredAccess: FileAccess { transaction.fileAccess }

        func run() throws {
            try Output.data(transaction.read().id + "\n")
        }
    }

    struct Digest: PlainCommand {
        static let configuration = CommandConfiguration(
            commandName: "digest",
            abstract: "Print the signing digest for a chain.",
            discussion: "  eosvault transaction digest transfer.json --chain eos")

        @OptionGroup var transaction: TransactionOptions
        @Option(name: .shortAndLong, help: .chain, completion: .chains)
        var chain: ChainArgument

        @OptionGroup var common: MessageOptions

        var requiredAccess: FileAccess { transaction.fileAccess }

        func run() throws {
            let chain = try chain.value
            let signed = try transaction.read()
            try placed(at: transaction.input.name) { try signed.expectChain(chain) }
            let digest = signed.digest(for: chain)
            try Output.data(Hex.encode(digest.bytes) + "\n")
        }
    }
}
