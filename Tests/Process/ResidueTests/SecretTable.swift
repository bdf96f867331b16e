import CResidue

/// The secrets of a run and all of their forms, in the structure for the memory search. The table
/// grows during the run.
final class SecretTable {
    struct OutOfMemory: Error {}

    let table: OpaquePointer
    private(set) var secrets: [Secret] = []
    private var patterns: [(secret: Int, form: Int)] = []

    init() throws {
        guard let table = residue_table_make() else { throw OutOfMemory() }
        self.table = table
    }

    deinit { residue_table_free(table) }

    /// The number of pieces to search for.
    var count: Int { residue_table_count(table) }

    func add(_ secret: Secret) throws {
        guard !secrets.contains(where: { $0.bytes == secret.bytes }) else { return }
        for (index, form) in secret.forms.enumerated() {
            for piece in form.pieces {
                let isAdded = form.bytes.withUnsafeBufferPointer { bytes in
                    bytes.baseAddress.map {
                        residue_table_add(
                            table, UInt32(patterns.count), UInt32(piece.lowerBound), $0 + piece.lowerBound,
                            piece.count)
                    }
                }
                guard isAdded == true else { throw OutOfMemory() }
            }
            patterns.append((secrets.count, index))
        }
        secrets.append(secret)
    }

    func secret(of pattern: UInt32) -> Secret { secrets[patterns[Int(pattern)].secret] }

    /// Whether the form is made of English words.
    func isWords(_ pattern: UInt32) -> Bool {
        let (secret, form) = patterns[Int(pattern)]
        return secrets[secret].forms[form].isWords
    }

    /// `PIN, hex, 8 to 15 of 32`
    func words(for finding: residue_finding) -> String {
        let (secret, form) = patterns[Int(finding.pattern)]
        let found = secrets[secret].forms[form]
        return
            "\(secrets[secret].name), \(found.name), bytes \(finding.offset) to "
            + "\(finding.offset + finding.count - 1) of \(found.bytes.count)"
    }

    /// Searches the output of a program.
    func find(in bytes: [UInt8]) -> [residue_finding] {
        var findings = [residue_finding](repeating: residue_finding(), count: 64)
        let count = residue_find(table, bytes, bytes.count, 0, &findings, findings.count)
        return Array(findings.prefix(count))
    }
}
