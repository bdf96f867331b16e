import ArgumentParser
import JSON
import Shell

struct JSONOutput: JSONCommand {
    static let configuration = CommandConfiguration(
        commandName: "json", abstract: "Print the reference of the JSON output of all commands.",
        discussion: """
            The reference lists the members of each object that commands print with --json, and the codes of errors, \
            faults and warnings. With --json, it prints the members for programs; `eosvault codes --json` \
            prints the codes. `eosvault help json` prints the same reference.

            With --schema, it prints a JSON Schema (draft 2020-12). Each command has a definition, such as \
            `#/$defs/slot-list`; `#/$defs/messages` describes the lines of standard error. The schema has the version \
            of the program.

              eosvault help json --schema
            """)

    @Flag(help: "Print a JSON Schema of the output of all commands.")
    var schema = false

    @OptionGroup var common: CommonOptions

    func run() throws {
        if schema {
            try Output.data(Printable.json(JSONReference.schema, .pretty) + "\n")
        } else if json.isOn {
            try Output.json(JSONReference.object.json(()))
        } else {
            try Output.data(JSONReference.page)
        }
    }
}
