import ArgumentParser
import JSON

/// Prints every rate with its baseline from the same run, one line each: on a shared machine, times
/// drift but ratios do not.
@main
struct Benchmark: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "eosvault-bench",
        abstract: "Measure parts of eosvault: operations per second, a baseline, and their ratio.",
        discussion: "Rates are single-threaded, in processor time. The ratio is the median of paired rounds.")

    @Flag(help: "Print {\"NAME\": {\"yardstick\", \"per_s\", \"yardstick_per_s\", \"ratio\"}, …}.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Compare each ratio with the one in this file, which --json made. Exit status 1 if one is more than 10 % "
                + "worse in three runs.", valueName: "file"))
    var compare: String?

    @Option(
        help: ArgumentHelp(
            "Measure only the ABI codec, on the values of this file: {\"abi\", \"inputs\": [{\"name\", \"type\", "
                + "\"json\"}]}. Print {NAME: {\"encode_per_s\", \"decode_per_s\"}, …}.", valueName: "file"))
    var inputs: String?

    @Argument(help: ArgumentHelp("Measure only rates whose name starts with this.", valueName: "name"))
    var names: [String] = []

    func run() throws {
        if let inputs { return print(try InputRates.measure(inputs).text()) }
        let known = try compare.map { try KnownRatios($0) }
        var members: [JSONMember] = []
        var (measured, worse): ([String], [String]) = ([], [])
        for (name, measure) in Self.all where names.isEmpty || names.contains(where: name.hasPrefix) {
            guard var rate = try measure(name) else { continue }
            measured.append(name)
            for _ in 0..<2 where known?.isWorse(rate) == true { rate = try measure(name) ?? rate }
            if known?.isWorse(rate) == true { worse.append(name) }
            if json {
                members.append(JSONMember(name, rate.json))
            } else {
                print(rate.line + (known.map { "  (\($0.text(of: name)))" } ?? ""))
            }
        }
        if json { print(JSONValue.object(members).text()) }
        let missing = names.isEmpty ? known?.missing(among: measured) ?? [] : []
        for name in missing { ReleaseProgram.note("\(name): not measured, but known") }
        for name in worse { ReleaseProgram.note("\(name): more than 10 % worse in three runs") }
        guard missing.isEmpty, worse.isEmpty else { throw ExitCode.failure }
    }

    private static let all: [(String, @Sendable (String) throws -> Rate?)] = [
        ("sign", CurveRates.sign), ("sign, checked", CurveRates.signChecked), ("derive", CurveRates.derive),
        ("recover", CurveRates.recover), ("abi encode", TransferRates.encode),
        ("abi decode", TransferRates.decode),
        ("abi encode --lines", LineRates.encode),
        ("transaction pack, digest", TransactionRates.packAndDigest),
        ("review 200 KB of code", ReviewRates.code), ("review 1,000 transfers", ReviewRates.transfers),
        ("review 100 signatures", ReviewRates.signatures),
        ("JSON, skip", JSONRates.read),
        ("vault open, lookup", VaultRates.openAndLookUp), ("sign --lines", BatchRates.sign),
        ("sign --lines, policy", BatchRates.signWithPolicy), ("sign with a policy", PolicyRates.sign),
        ("import --lines", KeyFileRates.importLines), ("check", KeyFileRates.check),
        ("import --from keosd", WalletRates.keosd),
        ("start, version", StartRates.version), ("start, chains", StartRates.command),
        ("start, list", StartRates.list), ("start, sign", StartRates.sign),
    ]
}
