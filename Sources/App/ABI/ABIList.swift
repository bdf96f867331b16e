import ABICodec
import ArgumentParser
import Hardening
import JSON
import Shell
import Transactions

extension ABIGroup {
    struct List: ListingCommand, JSONCommand {
        static let configuration = CommandConfiguration(
            commandName: "list",
            abstract: "List the pinned and built-in ABIs: account, chains, actions, date, source.",
            discussion: """
                The ABIs that the vault pins come first. Without --verify, no PIN is needed, and they are marked as \
                unverified: anyone who can write the file can change them. For a built-in ABI, the chains are those \
                whose contract uses it. `sha256` is the hash of the raw form. Each line `recorded` is the hash of a \
                raw form that a chain stored (its abi_hash), with the chain, the date and the source. The option \
                --abi accepts a file with one of these hashes.

                  eosvault abi list
                  eosvault abi list --json
                """)

        @OptionGroup var listing: ListingOptions

        @OptionGroup var common: CommonOptions

        static let object = JSONObject<[ABIRow]>([.list("abis", of: ABIRow.listed, "the ABIs") { $0 }])

        var requiredAccess: FileAccess { vault.listingAccess(verifying: isVerified, by: method) }

        func run() throws {
            let pinned = try vault.listedABIs(verifying: isVerified, by: method)
            if json.isOn {
                try Output.json(Self.object.json(pinned.map(\.row) + BuiltInABI.all.map(\.row)))
            } else {
                let lines = pinned.map(\.lines) + BuiltInABI.all.map(\.lines)
                try Output.data(lines.map { $0.joined(separator: "\n") + "\n" }.joined(separator: "\n"))
            }
        }
    }
}

extension BuiltInABI {
    var lines: [String] {
        let age = isOlder ? ", older: used for actions that the newer ABI lacks" : ""
        var lines = ["\(account)  \(Words.count(actions.count, "action")), \(date)\(age)"]
        lines.append("  chains    " + chains.joined(separator: ", "))
        lines.append("  source    " + source)
        if let hash { lines.append("  sha256    " + hash.text) }
        lines += Words.rows(of: actions)
        return lines + recorded.map { "  recorded  \($0.sha256)  \($0.chain)  \($0.date)  \($0.source)" }
    }

    var row: ABIRow {
        ABIRow(
            account: account, chains: chains, date: date, source: source, hash: hash?.text, isOlder: isOlder,
            actions: actions, recorded: recorded, definition: definition)
    }
}

extension Words {
    /// The lines with the names of an ABI's actions, for a terminal of 80 columns. The first one
    /// has a title in its margin of 12 columns.
    static func rows(of actions: [Name]) -> [String] {
        var rows: [String] = []
        for word in actions.map(\.text) {
            if let last = rows.last, last.utf8.count + word.utf8.count < 66 {
                rows[rows.count - 1] = "\(last) \(word)"
            } else {
                rows.append(word)
            }
        }
        return rows.enumerated().map { ($0.offset == 0 ? "  actions   " : "            ") + $0.element }
    }
}
