import JSON
import KeyVault
import Shell

extension AuditFault {
    /// The members are the record, or the first and the last record of a range.
    var words: FaultWords {
        switch self {
        case .changed(let sequence):
            .init(.recordChanged, "record \(sequence) was changed", ["sequence": .number(sequence)])
        case .missing(let sequence):
            .init(.recordMissing, "record \(sequence) is missing", ["sequence": .number(sequence)])
        case .cut(let last, let expected):
            .init(
                .recordsCut,
                expected == last + 1
                    ? "record \(expected), the last one, is missing"
                    : "records \(last + 1) to \(expected), the last ones, are missing",
                ["sequence": .number(last + 1), "last": .number(expected)])
        case .extra(let sequence):
            .init(.recordExtra, "record \(sequence) was not written by this vault", ["sequence": .number(sequence)])
        }
    }
}
