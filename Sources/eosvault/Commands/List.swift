import ArgumentParser
import JSON
import KeyVault

struct List: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Print the public keys of the vault.",
        discussion: "No PIN is asked for, so nothing is verified: whoever can write the file decides what is listed.")

    @OptionGroup var vault: VaultOptions

    @Flag(name: .long, help: "Print JSON.")
    var json = false

    func run() throws {
        let entries: [EntryDescription]
        do { entries = try vault.open().unverifiedEntries() } catch let error as VaultError {
            throw Placed(place: try vault.name(), error: error)
        }
        if json {
            let list = JSONValue.object([
                JSONMember("unverified", .boolean(true)), JSONMember("keys", .array(entries.map(\.json))),
            ])
            try Output.data(list.text(.pretty) + "\n")
        } else {
            let lines = entries.map { "\($0.name) unverified \($0.label?.text ?? "")".trimmingTrailingSpace + "\n" }
            try Output.data(lines.joined())
        }
    }
}

extension String {
    fileprivate var trimmingTrailingSpace: String { hasSuffix(" ") ? String(dropLast()) : self }
}
