import JSON
import KeyVault

extension RescueReport {
    /// What a person is told beside the keys: what could not be rescued, and what can't be known.
    var notes: [String] {
        var notes = losses.map { "\($0.name ?? "an entry whose name can't be read"): lost: \($0.reason.text)" }
        if unlistedLosses > 0 { notes.append("\(Words.count(unlistedLosses, "more entry", "more entries")) lost") }
        if namelessCount > 0 {
            notes.append("\(Words.count(namelessCount, "key")) lost that nothing in the file names: the vault had \(entryCount ?? 0)")
        }
        if entryCount == nil { notes.append("how many keys the vault had stands nowhere any more: compare with what you know of it") }
        notes += droppedLabels.map { "\($0.name): its label is another key's too, and was dropped; see `eosvault rename`" }
        return notes
    }
}

extension RescueReport.Loss {
    var json: JSONValue {
        .fault(reason.code, reason.text, name.map { [JSONMember("public_key", .string($0))] } ?? [])
    }
}

extension RescueReport.Reason {
    /// For programs.
    fileprivate var code: String {
        switch self {
        case .malformed: "malformed"
        case .seal: EntryFault.seal.code
        case .key: EntryFault.key.code
        case .unsupportedKind: "unsupported-kind"
        case .rowGone: "row-gone"
        }
    }

    fileprivate var text: String {
        switch self {
        case .malformed: "its entry makes no sense"
        case .seal: EntryFault.seal.text
        case .key: EntryFault.key.text
        case .unsupportedKind(let kind): "its entry is of kind \(kind), which this version does not know"
        case .rowGone: "its name stands in the file, and its entry does not"
        }
    }
}
