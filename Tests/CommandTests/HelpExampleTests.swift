import Testing

/// Help is believed, so what it prints must run: each example stands in a script that runs it.
struct HelpExampleTests {
    @Test(arguments: [
        [], ["init"], ["create"], ["import"], ["list"], ["show"], ["rename"], ["remove"], ["export"], ["log"], ["log", "show"],
        ["log", "verify"],
        ["sign"], ["inspect"], ["chains"], ["verify"],
        ["transaction", "pack"], ["transaction", "unpack"], ["transaction", "id"], ["transaction", "digest"],
        ["abi", "encode"], ["abi", "decode"], ["key", "convert"], ["slot", "list"], ["slot", "add"], ["slot", "remove"], ["pin", "change"],
        ["rekey"], ["check"], ["backup"], ["restore"], ["rescue"], ["abi", "convert"],
    ])
    func examplesAreRun(command: [String]) throws {
        let script = String(decoding: try ScriptRunner.contents(of: ScriptTests.folder + "/help-examples.txt"), as: UTF8.self)
        let run = Set(script.split(separator: "\n").map(String.init))
        let child = Child(
            path: ScriptRunner.programs + "/eosvault", arguments: ["help"] + command, environment: ["COLUMNS": "200"], directory: "/")
        let help = String(decoding: try child.run().output, as: UTF8.self)
        #expect(help.contains("USAGE: eosvault"))
        for line in help.split(separator: "\n") where line.hasPrefix("  eosvault ") {
            let example = String(line.drop { $0 == " " })
            #expect(run.contains(example), "`\(example)` of the help of \(command) is not run")
        }
    }
}
