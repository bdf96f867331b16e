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

    @Argument(help: ArgumentHelp("Measure only rates whose name starts with this.", valueName: "name"))
    var names: [String] = []

    func run() throws {
        var members: [JSONMember] = []
        for (name, measure) in Self.all where names.isEmpty || names.contains(where: name.hasPrefix) {
            guard let rate = try measure(name) else { continue }
            if json { members.append(JSONMember(name, rate.json)) } else { print(rate.line) }
        }
        if json { print(JSONValue.object(members).text()) }
    }

    private static let all: [(String, @Sendable (String) throws -> Rate?)] = [
        ("sign", CurveRates.sign), ("sign, checked", CurveRates.signChecked), ("derive", CurveRates.derive),
        ("recover", CurveRates.recover), ("abi encode", TransferRates.encode),
        ("abi decode", TransferRates.decode),
        ("abi encode --lines", LineRates.encode),
        ("transaction pack, digest", TransactionRates.packAndDigest),
        ("review 200 KB of code", ReviewRates.code), ("review 1,000 transfers", ReviewRates.transfers),
        ("review 100 signatures", ReviewRates.signatures),
        ("vault open, lookup", VaultRates.openAndLookUp), ("sign --lines", BatchRates.sign),
        ("sign with a policy", PolicyRates.sign), ("import --from keosd", WalletRates.keosd),
        ("start, version", StartRates.version), ("start, chains", StartRates.command),
    ]
}
