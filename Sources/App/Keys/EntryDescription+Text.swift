import JSON
import KeyVault
import Shell

extension EntryDescription: JSONDescribed {
    static let object = JSONObject<EntryDescription>([
        .text("public_key?", "the key, as EOS…; absent for an entry that is not a key") {
            $0.name.isKindAndName ? nil : $0.name.text
        },
        .text("name?", "the name of an entry that is not a key") {
            $0.name.isKindAndName ? $0.name.text : nil
        },
        .number("kind?", "the kind of an entry that is not a key") { $0.isKey ? nil : $0.kind.number },
        .text(orNull: "label", "its label") { $0.label?.text },
        .text("created", "when it was added, in UTC: 2026-12-01T00:00:00") { Clock.text($0.createdAt) },
    ])
}

extension EntryDescription {
    /// True for a key, and for an entry of a later version.
    var isListedAsKey: Bool { kind != .credential && kind != .seed }

    /// The name, a remark and the label, for a list.
    func line(_ remark: String? = nil) -> String {
        [name.text, remark, label?.text].compactMap(\.self).joined(separator: " ")
    }

    /// Prints the public key or the id of a committed entry.
    func print(_ option: JSONOption) throws { try option.print(name.text, json: json) }
}

extension KeyStatus: JSONDescribed {
    static let object = JSONObject<KeyStatus>([]).adding(EntryDescription.object) { $0.entry }.adding([
        .boolean("backed_up", "whether a verified backup, words on paper or several tokens have it") {
            $0.isBackedUp
        }
    ])
}

extension EntryName {
    /// `public_key`, or `name` for an entry that is not an EOS key.
    var json: JSONValue { [isKindAndName ? "name" : "public_key": .string(text)] }
}

extension LabelFlag {
    /// A warning of one line.
    var text: String {
        switch reason {
        case .refused(let problem): "\(name): \(problem.text); change it with `eosvault rename`"
        case .alike(let other):
            "\(name): its label differs only in spelling from the label of \(other); "
                + "change it with `eosvault rename`"
        }
    }
}
