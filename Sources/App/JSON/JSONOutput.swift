import ArgumentParser
import Shell

struct JSONOutput: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "Print the reference of the JSON output of all commands.",
        discussion: """
            The reference lists the members of each object that commands print with --json, and the codes of errors, \
            faults and warnings. With --json, it prints the members for programs; `eosvault codes --json` \
            prints the codes. `eosvault help json` prints the same reference.
            """)

    @OptionGroup var common: CommonOptions

    func run() throws {
        if json.isOn {
            try Output.json(JSONReference.object.json(()))
        } else {
            try Output.data(JSONReference.page)
        }
    }
}
