import Curves
import Glibc
import KeyText
import KeyVault
import SecureMemory

/// Many keys in one transaction: a key a line, perhaps a space and its label behind it.
///
/// For each line there is one of output, in the same order: the public key, or what was wrong. None is printed before all that are good are
/// in the vault for good.
struct KeyLines {
    let source: InputFile

    /// A key, a space and a label.
    private static let maximumLineCount = PrivateKey.maximumTextCount + 1 + 512

    /// What ends all, and takes every line back.
    private enum Failure: VaultFailure {
        case vault(VaultError)
        case input(InputFile.Failure)

        init(vault: VaultError) { self = .vault(vault) }
    }

    func run(with vault: borrowing UnlockedVault) throws {
        let report = try read(into: vault)
        do { try Output.data(report.text) } catch {
            throw Placed(place: "what is good is in the vault, but standard output", error: error)
        }
        if report.taken > 0 { Messages.note(Words.notBackedUp(report.taken)) }
        if report.failed { throw ExitStatus.someFailed }
    }

    private func read(into vault: borrowing UnlockedVault) throws -> Report {
        let result: Result<Report, Failure>
        do {
            result = try source.withSecretDescriptor { descriptor throws(InputFile.Failure) in
                Result { () throws(Failure) in try Self.add(from: descriptor, to: vault) }
            }
        } catch { throw Placed(place: source.name, error: error) }
        do { return try result.get() } catch {
            switch error {
            case .vault(let error): throw error
            case .input(let error): throw Placed(place: source.name, error: error)
            }
        }
    }

    /// What is printed of the lines: some 50 bytes of each are kept until the transaction's end.
    private struct Report {
        var text: [UInt8] = []
        var taken = 0
        var failed = false

        mutating func add(_ name: String) {
            taken += 1
            text += name.utf8
            text.append(UInt8(ascii: "\n"))
        }

        mutating func add(_ error: any Error, line: Int) {
            text += "error: line \(line): \(Words(for: error).message)\n".utf8
            failed = true
        }
    }

    private static func add(from descriptor: Int32, to vault: borrowing UnlockedVault) throws(Failure) -> Report {
        let now = Clock.now
        return try vault.transaction { (transaction: inout VaultTransaction) throws(Failure) in
            var lines: SecretLines
            do throws(InputFile.Failure) { lines = try SecretLines(descriptor: descriptor, limit: maximumLineCount) } catch {
                throw .input(error)
            }
            var report = Report()
            var progress = ProgressCounter("importing", noun: "key")
            defer { progress.end() }
            while true {
                let line: SecretLines.Line?
                do throws(InputFile.Failure) { line = try lines.advance() } catch { throw .input(error) }
                guard let line else { return report }
                progress.count += 1
                switch try add(lines, line, to: &transaction, at: now) {
                case .success(let entry): report.add(entry.name)
                case .failure(let error): report.add(error, line: progress.count)
                }
            }
        }
    }

    /// - Returns: the new entry, or what is wrong with the line.
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
            case .keyExists, .labelExists: return .failure(error)
            default: throw .vault(error)
            }
        }
    }
}

/// What one line holds: `KEY`, or `KEY LABEL`.
private struct KeyLine: ~Copyable {
    let key: PrivateKey
    let label: Label?

    init(_ line: RawSpan) throws {
        let space = (0..<line.byteCount).first { line[byte: $0] == UInt8(ascii: " ") }
        let key: PrivateKey
        do { key = try PrivateKey.parse(line.extracting(0..<(space ?? line.byteCount))) } catch {
            throw KeyRefusal(error: error, kind: .privateKey)
        }
        guard key.curve == .k1 else { throw CommandError.r1Import }
        label = if let space { try Self.label(line.extracting((space + 1)..<line.byteCount)) } else { nil }
        self.key = key
    }

    private static func label(_ text: RawSpan) throws -> Label {
        // A second key in the place of the label stays in guarded memory: no label has so many letters and digits in a row.
        var run = 0
        for offset in 0..<text.byteCount {
            run = isLetterOrDigit(text[byte: offset]) ? run + 1 : 0
            guard run < 48 else { throw VaultError.label(.looksLikeKey) }
        }
        let bytes = (0..<text.byteCount).map { text[byte: $0] }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw VaultError.label(.unprintable(offset: validCount(bytes)))
        }
        return try Label(text)
    }

    /// How many bytes from the start are UTF-8.
    private static func validCount(_ bytes: [UInt8]) -> Int {
        (0...bytes.count).last { String(validating: bytes[..<$0], as: UTF8.self) != nil } ?? 0
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
        default: false
        }
    }
}
