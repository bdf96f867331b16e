import Codecs
import Curves
import Files
import KeyText
import KeyVault
import SecureMemory

/// Imports many keys in one transaction. Each input line is a key, optionally followed by a space
/// and a label.
///
/// Each input line gives one output line, in the same order: the public key, or an error. Nothing
/// is printed before all valid keys are committed.
struct KeyLines {
    let source: InputFile

    /// In bytes: a key, a space and a label.
    private static let maximumLineCount = PrivateKey.maximumTextCount + 1 + 512

    /// An error that ends the import and rolls back every line.
    private enum Failure: VaultFailure {
        case vault(VaultError)
        case input(InputFile.Failure)

        init(vault: VaultError) { self = .vault(vault) }
    }

    /// Prints the results, after the transaction has ended and the vault's keys are wiped.
    func print(_ report: Report) throws {
        try placed(at: "the valid keys are in the vault, but standard output") { try Output.data(report.text) }
        if report.imported > 0 { Messages.note(Words.notBackedUp(report.imported)) }
        if report.failed { throw ExitStatus.failed }
    }

    /// Imports the valid keys.
    func read(into vault: borrowing UnlockedVault) throws -> Report {
        let result = try placed(at: source.name) {
            try source.withSecretDescriptor(mayBeWritable: true) { file throws(InputFile.Failure) in
                Result { () throws(Failure) in try Self.add(from: file, to: vault) }
            }
        }
        do { return try result.get() } catch {
            switch error {
            case .vault(let error): throw error
            case .input(let error): throw Placed(place: source.name, error: error)
            }
        }
    }

    /// The output for all lines: about 50 bytes per line, kept in memory until the transaction
    /// ends.
    struct Report {
        fileprivate var text: [UInt8] = []
        fileprivate var imported = 0
        fileprivate var failed = false

        fileprivate mutating func add(_ name: String) {
            imported += 1
            text += name.utf8
            text.append(UInt8(ascii: "\n"))
        }

        fileprivate mutating func add(_ error: any Error, line: Int) {
            text += "error: line \(line): \(Words(for: error).message)\n".utf8
            failed = true
        }
    }

    private static func add(from file: FileDescriptor, to vault: borrowing UnlockedVault) throws(Failure) -> Report {
        let now = Clock.now
        return try vault.transaction { (transaction: inout VaultTransaction) throws(Failure) in
            var lines = try converting(Failure.input, SecretLines(file: file, limit: maximumLineCount))
            var report = Report()
            var progress = ProgressCounter(what: "importing", noun: "key")
            defer { progress.end() }
            while true {
                let line: SecretLines.Line?
                do throws(InputFile.Failure) { line = try lines.advance() } catch { throw .input(error) }
                guard let line else { return report }
                progress.count += 1
                switch try add(lines, line, to: &transaction, at: now) {
                case .success(let entry): report.add(entry.name.text)
                case .failure(let error): report.add(error, line: progress.count)
                }
            }
        }
    }

    /// - Returns: the new entry, or the error of the line.
    private static func add(
        _ lines: borrowing SecretLines, _ line: SecretLines.Line, to transaction: inout VaultTransaction, at time: Int64
    ) throws(Failure) -> Result<EntryDescription, any Error> {
        let key: KeyLine
        do {
            guard line == .line else { throw InputFile.Failure.tooLong(limit: maximumLineCount) }
            key = try lines.withLine { text in try KeyLine(text) }
        } catch { return .failure(error) }
        do throws(VaultError) {
            return .success(try transaction.insert(key.key, label: key.label, createdAt: time, origin: .imported))
        } catch {
            switch error {
            case .input(.keyExists), .input(.labelExists), .input(.labelAlike): return .failure(error)
            default: throw .vault(error)
            }
        }
    }
}

/// One line: `KEY` or `KEY LABEL`.
private struct KeyLine: ~Copyable {
    let key: PrivateKey
    let label: Label?

    init(_ line: RawSpan) throws {
        let space = line.firstOffset(ofSeparator: UInt8(ascii: " "), in: 0..<line.byteCount)
        let key = try PrivateKey.importable(line.extracting(0..<(space ?? line.byteCount)))
        label = if let space { try Label(utf8: line.extracting((space + 1)..<line.byteCount)) } else { nil }
        self.key = key
    }
}
