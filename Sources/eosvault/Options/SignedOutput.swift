import ArgumentParser
import Curves
import Files
import JSON
import KeyText
import Sandbox
import Transactions

/// Where a signed transaction goes, and in which form.
struct SignedOutput: ParsableArguments {
    enum Format: String, ExpressibleByArgument, CaseIterable {
        case json, packed, signatures
    }

    @Option(
        name: .long,
        help:
            "The output: json as cleos writes it, packed for /v1/chain/send_transaction, or signatures, one per line.")
    var format = Format.json

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Write to a new file instead of standard output.", valueName: "file"),
        completion: .file())
    var output: String?

    var fileAccess: FileAccess { OutputFile.fileAccess(to: output) }

    /// The new file; nil for standard output. Call it before any question.
    func prepared() throws -> NewFile? { try OutputFile.prepared(at: output, for: .publicData) }

    /// - Parameters:
    ///   - signatures: what the format `signatures` prints; nil for all.
    ///   - isNew: whether a signature was made, which an error must mention.
    func write(
        _ signed: SignedTransaction, only signatures: @autoclosure () -> [Signature]? = nil, isNew: Bool = false,
        to file: NewFile?
    ) throws {
        let text =
            switch format {
            case .json: Printable.json(signed.json, .pretty) + "\n"
            case .packed: Printable.json(signed.packedJSON, .pretty) + "\n"
            case .signatures: (signatures() ?? signed.signatures).map { $0.text + "\n" }.joined()
            }
        try delivering(isNew ? .signature : nil, to: output) {
            if let file { try file.write(text) } else { try Output.data(text) }
        }
        if let file { Messages.note(Words.wrote(file.path)) }
    }
}
