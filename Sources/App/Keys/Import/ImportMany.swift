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
        try placed(at: "the valid keys are in the vault, but standard output") {
            try Output.data(report.text)
        }
        for warning in report.warnings { Messages.warning(warning) }
        for note in report.notes { Messages.note(note) }
        if report.imported > 0 { Messages.note(Words.notBackedUp(report.imported)) }
        if report.failed { throw ExitStatus.failed }
    }

    /// Imports the valid keys.
    func read(into vault: borrowing UnlockedVault) throws -> Report {
        let result = try placed(at: source.name) {
            try source.withSecretDescriptor(writable: .refusedWhereModesAreStored) {
                file throws(InputFile.Failure) in
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
        fileprivate let noun: String
        fileprivate let isJSON: Bool
        fileprivate var text: [UInt8] = []
        fileprivate var warnings: [String] = []
        fileprivate var notes: [String] = []
        fileprivate var imported = 0
        fileprivate var failed = false

        /// True if the file has a key, valid or not.
        fileprivate var hasKeys: Bool { !text.isEmpty }
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
            var report = Report(noun: Reader.noun, isJSON: isJSON)
            var progress = ProgressCounter(what: "importing", noun: "key")
            defer { progress.end() }
            while let first = try next(&reader) {
                // The keys of the vault are not lent while the file is read, which may wait.
                var item: KeyFileItem? = consume first
                try transaction.insertingOften { transaction throws(Failure) in
                    while let taken = item.take() {
                        progress.count += 1
                        switch consume taken {
                        case .key(let key):
                            try add(key, to: &transaction, at: now, number: reader.number, &report)
                            reader.reuse(key)
                        case .refused(let error): report.refuse(error, number: reader.number)
                        case .skipped(let reason):
                            report.notes.append("\(Reader.noun) \(reader.number) skipped: \(reason)")
                        }
                        if reader.hasRead { item = try next(&reader) }
                    }
                }
            }
            guard report.hasKeys || format == .lines else {
                throw .input(CommandError.nothingToImport(format.name))
            }
            return report
        }
    }

    private func next(_ reader: inout some KeyFileReader & ~Copyable) throws(Failure) -> KeyFileItem? {
        do { return try reader.next() } catch { throw .input(error) }
    }

    /// Imports one key, or reports why it is refused.
    private func add(
        _ key: borrowing NamedKey, to transaction: inout VaultTransaction, at time: Int64, number: Int,
        _ report: inout Report
    ) throws(Failure) {
        let isPublished = !isForced && key.key.publicKey.text == PublicKey.developmentText
        if isPublished, format != .lines { return report.refuse(CommandError.developmentKey, number: number) }
        do throws(VaultError) {
            report.add(
                try transaction.insert(key.key, label: key.label, createdAt: time, origin: .imported),
                number: number)
        } catch {
            switch error {
            case .input(.keyExists), .input(.labelExists), .input(.labelAlike):
                return report.refuse(error, number: number)
            default: throw .vault(error)
            }
        }
        if isPublished { report.warnings.append("\(report.noun) \(number): \(Words.developmentKey)") }
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
    fileprivate mutating func add(_ entry: EntryDescription, number: Int) {
        imported += 1
        line(entry.name.text, json: ImportMany.object.json((number, entry, nil)))
    }

    fileprivate mutating func refuse(_ error: any Error, number: Int) {
        failed = true
        let words = Words(for: error)
        line("error: \(noun) \(number): \(words.message)", json: ImportMany.object.json((number, nil, words)))
    }

    private mutating func line(_ text: String, json: @autoclosure () -> JSONValue) {
        self.text += ((isJSON ? Printable.json(json()) : text) + "\n").utf8
    }
}
