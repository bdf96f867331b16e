import JSON
import KeyVault

extension AuditFault {
    /// One line.
    var text: String {
        switch self {
        case .changed(let sequence): "record \(sequence) was changed"
        case .missing(let sequence): "record \(sequence) is missing"
        case .cut(let last, let expected) where expected == last + 1: "record \(expected), the last one, is missing"
        case .cut(let last, let expected): "records \(last + 1) to \(expected), the last ones, are missing"
        case .extra(let sequence): "record \(sequence) was not written by this vault"
        }
    }

    var json: JSONValue { .fault(code, text, members) }

    var code: FaultCode {
        switch self {
        case .changed: .recordChanged
        case .missing: .recordMissing
        case .cut: .recordsCut
        case .extra: .recordExtra
        }
    }

    /// The record, or the first and the last record of a range.
    var members: [JSONMember] {
        switch self {
        case .changed(let sequence), .missing(let sequence), .extra(let sequence):
            [JSONMember("sequence", .number(sequence))]
        case .cut(let last, let expected):
            [JSONMember("sequence", .number(last + 1)), JSONMember("last", .number(expected))]
        }
    }
}
