import Codecs
import Files
import JSON
import KeyVault
import Keys
import Shell

/// Imports the keys of a file in one transaction.
///
/// Each key of the file gives one output line, in the same order: the public key, or an error.
/// Nothing is printed before all valid keys are committed.
struct ImportMany {
    let source: InputFile
    let format: KeyFileFormat
    /// Imports the public development key too.
    let isForced: Bool
    let isJSON: Bool

    /// An error that ends the import and rolls back every key.
    fileprivate enum Failure: VaultFailure {
        case vault(VaultError)
        case input(any Error)

        init(vault: VaultError) { self = .vault(vault) }
    }

    /// Prints the results, after the transaction has ended and the vault's keys are wiped.
    func print(_ report: Report) throws {
        try placed(at: "the valid keys are in the vault, but standard output") { try Output.data(report.text) }
        for warning in report.warnings { Messages.warning(warning) }
        for note in report.notes { Messages.note(note) }
        if report.imported > 0 { Messages.note(Words.notBackedUp(report.imported)) }
        if report.failed { throw ExitStatus.failed }
    }

    /// Imports the valid keys.
    func read(into vault: borrowing UnlockedVault) throws -> Report {
        let result = try placed(at: source.name) {
            try source.withSecretDescriptor(writable: .refusedWhereModesAreStored) { file throws(InputFile.Failure) in
                Result { () throws(Failure) in try add(from: file, to: vault) }
            }
        }
        do { return try result.get() } catch {
            switch error {
            case .vault(let error): throw error
            case .input(let error): throw Placed(place: source.name, error: error)
            }
        }
    }

    /// The output for all keys: about 50 bytes per key, kept in memory until the transaction ends.
    struct Report {
        fileprivate var text: [UInt8] = []
        fileprivate var warnings: [String] = []
        fileprivate var notes: [String] = []
        fileprivate var imported = 0
        fileprivate var failed = false
    }

    private func add(from file: FileDescriptor, to vault: borrowing UnlockedVault) throws(Failure) -> Report {
        switch format {
        case .lines: try add(from: converting(Failure.input, KeyLineReader(file)), to: vault)
        case .keosdList: try add(from: converting(Failure.input, KeosdListReader(file)), to: vault)
        case .nodeosConfig: try add(from: converting(Failure.input, NodeosConfigReader(file)), to: vault)
        }
    }

    private func add<Reader: KeyFileReader & ~Copyable>(
        from reader: consuming Reader, to vault: borrowing UnlockedVault
    ) throws(Failure) -> Report {
        let now = Clock.now
        var reader = reader
        return try vault.transaction { (transaction: inout VaultTransaction) throws(Failure) in
            var report = Report()
            var progress = ProgressCounter(what: "importing", noun: "key")
            defer { progress.end() }
            var isEmpty = true
            while let item = try next(&reader) {
                progress.count += 1
                switch consume item {
                case .key(let key):
                    isEmpty = false
                    try add(key, to: &transaction, at: now, number: reader.number, &report)
                    reader.reuse(key)
                case .refused(let error):
                    isEmpty = false
                    report.add(error, number: reader.number, noun: Reader.noun, isJSON: isJSON)
                case .skipped(let reason): report.notes.append("\(Reader.noun) \(reader.number) skipped: \(reason)")
                }
            }
            guard !isEmpty || format == .lines else { throw .input(CommandError.nothingToImport(format.name)) }
            return report

            func add(
                _ key: borrowing NamedKey, to transaction: inout VaultTransaction, at time: Int64, number: Int,
                _ report: inout Report
            ) throws(Failure) {
                do throws(ImportRefusal) {
                    let entry = try insert(key, to: &transaction, at: time)
                    report.add(entry, number: number, isJSON: isJSON)
                    if entry.name.text == PublicKey.developmentText, !isForced {
                        report.warnings.append("\(Reader.noun) \(number): \(Words.developmentKey)")
                    }
                } catch {
                    switch error {
                    case .vault(let error): throw .vault(error)
                    case .key(let error): report.add(error, number: number, noun: Reader.noun, isJSON: isJSON)
                    }
                }
            }
        }
    }

    private func next(_ reader: inout some KeyFileReader & ~Copyable) throws(Failure) -> KeyFileItem? {
        do { return try reader.next() } catch { throw .input(error) }
    }

    private enum ImportRefusal: Error {
        /// Ends the import.
        case vault(VaultError)
        /// Refuses one key.
        case key(any Error)
    }

    private func insert(
        _ key: borrowing NamedKey, to transaction: inout VaultTransaction, at time: Int64
    ) throws(ImportRefusal) -> EntryDescription {
        if !isForced, format != .lines, key.key.publicKey.text == PublicKey.developmentText {
            throw .key(CommandError.developmentKey)
        }
        do throws(VaultError) {
            return try transaction.insert(key.key, label: key.label, createdAt: time, origin: .imported)
        } catch {
            switch error {
            case .input(.keyExists), .input(.labelExists), .input(.labelAlike): throw .key(error)
            default: throw .vault(error)
            }
        }
    }
}

extension ImportMany {
    /// An imported key, or why it was refused.
    static let object = JSONObject<(number: Int, entry: EntryDescription?, refusal: Words?)>([
        .number("id", "the number of the line, from 1, or of the key in a list") { $0.number },
        .text("public_key?", "the imported key") { $0.entry?.name.text },
        .value("label?", .orNull(.text), "its label") { $0.entry.map { .string($0.label?.text) } },
        .error("error?", "why it was refused") { $0.refusal },
    ])
}

extension ImportMany.Report {
    fileprivate mutating func add(_ entry: EntryDescription, number: Int, isJSON: Bool) {
        imported += 1
        guard isJSON else { return line(entry.name.text) }
        line(json: ImportMany.object.json((number, entry, nil)))
    }

    fileprivate mutating func add(_ error: any Error, number: Int, noun: String, isJSON: Bool) {
        failed = true
        let words = Words(for: error)
        guard isJSON else { return line("error: \(noun) \(number): \(words.message)") }
        line(json: ImportMany.object.json((number, nil, words)))
    }

    private mutating func line(json: JSONValue) { line(Printable.json(json)) }

    private mutating func line(_ text: String) {
        self.text += text.utf8
        self.text.append(UInt8(ascii: "\n"))
    }
}
