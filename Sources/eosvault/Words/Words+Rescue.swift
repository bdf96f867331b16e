import KeyVault

extension RescueReport {
    /// What a person is told beside the keys: what could not be rescued, and what can't be known.
    var notes: [String] {
        var notes = losses.map { "\($0.name ?? "an entry whose name can't be read"): lost: \($0.reason.words)" }
        if unlistedLosses > 0 { notes.append("\(Words.count(unlistedLosses, "more entry", "more entries")) lost") }
        if namelessCount > 0 {
            notes.append("\(Words.count(namelessCount, "key")) lost that nothing in the file names: the vault had \(entryCount ?? 0)")
        }
        if entryCount == nil { notes.append("how many keys the vault had stands nowhere any more: compare with what you know of it") }
        notes += droppedLabels.map { "\($0.name): its label is another key's too, and was dropped; see `eosvault rename`" }
        return notes
    }
}

extension RescueReport.Reason {
    /// For programs.
    var code: String {
        switch self {
        case .malformed: "malformed"
        case .seal: "seal"
        case .key: "key"
        case .unsupportedKind: "unsupported-kind"
        case .rowGone: "row-gone"
        }
    }

    fileprivate var words: String {
        switch self {
        case .malformed: "its entry makes no sense"
        case .seal: "its entry is damaged, or comes from another vault"
        case .key: "its entry holds another key"
        case .unsupportedKind(let kind): "its entry is of kind \(kind), which this version does not know"
        case .rowGone: "its name stands in the file, and its entry does not"
        }
    }
}
