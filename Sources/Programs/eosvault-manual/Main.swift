import App
import JSON

/// Prints the manual pages of a program for `make build`. Standard input is what the program prints
/// for `--version`, which is one line, and for `--experimental-dump-help`, then one line that lists
/// its exit statuses, such as that of `eosvault codes --json`.
///
/// usage: `eosvault-manual` prints the names of the pages, `eosvault-manual PAGE` a page.
/// `eosvault-manual --dump-help` prints the help of eosvault, which can't do it (CNoFoundation).
@main
enum Main {
    static func main() throws {
        guard CommandLine.arguments.dropFirst() != ["--dump-help"] else { return print(Program.dumpedHelp()) }
        var lines: [String] = []
        while let line = readLine() { lines.append(line) }
        guard let version = lines.first, let codes = lines.popLast(), lines.count > 1 else {
            throw HelpError.usage
        }
        let help = try JSONValue.parse(Array(lines.dropFirst().joined(separator: "\n").utf8))
        guard let command = help["command"] else { throw HelpError.missing("command") }
        let manual = try Manual(
            HelpCommand(command), version: version, codes: JSONValue.parse(Array(codes.utf8)))
        switch CommandLine.arguments.count {
        case 1: print(manual.pages.joined(separator: "\n"))
        case 2: print(try manual.page(CommandLine.arguments[1]), terminator: "")
        default: throw HelpError.usage
        }
    }
}
