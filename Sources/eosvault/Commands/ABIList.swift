import ABICodec
import ArgumentParser
import JSON
import Sandbox
import Transactions

extension ABIGroup {
    struct List: ConfinedCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the built-in ABIs: account, chains, actions, date, source.",
            discussion: """
                The chains are those whose contract uses this ABI. `sha256` is the hash of the raw form of the \
                built-in ABI. Each line `recorded` is the hash of a raw form that a chain stored (its abi_hash), with \
                the chain, the date and the source. The option --abi accepts a file with one of these hashes.

                  eosvault abi list
                  eosvault abi list --json
                """)

        @OptionGroup var json: JSONOption

        @OptionGroup var sandbox: SandboxOption

        var requiredAccess: FileAccess { .none }

        func run() throws {
            if json.isOn {
                try Output.json(JSONValue.array(BuiltInABI.all.map(\.json)), .pretty)
            } else {
                try Output.data(BuiltInABI.all.map(\.lines).joined(separator: "\n"))
            }
        }
    }
}

extension BuiltInABI {
    fileprivate var lines: String {
        let age = isOlder ? ", older: used for actions that the newer ABI lacks" : ""
        var lines = ["\(account)  \(Words.count(actions.count, "action")), \(date)\(age)"]
        lines.append("  chains    " + chains.joined(separator: ", "))
        lines.append("  source    " + source)
        if let hash { lines.append("  sha256    " + hash.text) }
        lines += Self.rows(actions.map(\.text)).enumerated().map {
            ($0.offset == 0 ? "  actions   " : "            ") + $0.element
        }
        lines += recorded.map { "  recorded  \($0.sha256)  \($0.chain)  \($0.date)  \($0.source)" }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Joins words to rows that fit a terminal of 80 columns after a margin of 12 columns.
    private static func rows(_ words: [String]) -> [String] {
        var rows: [String] = []
        for word in words {
            if let last = rows.last, last.utf8.count + word.utf8.count < 66 {
                rows[rows.count - 1] = "\(last) \(word)"
            } else {
                rows.append(word)
            }
        }
        return rows
    }

    fileprivate var json: JSONValue {
        .object([
            JSONMember("account", .string(account)), JSONMember("chains", .array(chains.map { .string($0) })),
            JSONMember("date", .string(date)), JSONMember("source", .string(source)),
            JSONMember("sha256", hash.map { .string($0.text) } ?? .null), JSONMember("older", .boolean(isOlder)),
            JSONMember("actions", .array(actions.map { .string($0.text) })),
            JSONMember("recorded", .array(recorded.map(\.json))),
        ])
    }
}

extension RecordedABI {
    fileprivate var json: JSONValue {
        .object([
            JSONMember("sha256", .string(sha256)), JSONMember("chain", .string(chain)),
            JSONMember("date", .string(date)),
            JSONMember("source", .string(source)),
        ])
    }
}
