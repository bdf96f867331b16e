import ArgumentParser
import Files
import JSON

/// The ratios that a run is compared with, as `--json` printed them.
struct KnownRatios {
    private let ratios: [String: Double]

    init(_ path: String) throws {
        let text = try OpenFile(path).withDescriptor { file throws(FileError) in
            try file.bytesToEnd(atMost: 1 << 20)
        }
        let value = try JSONValue.parse(text)
        guard case .object(let members) = value else { throw ExitCode.failure }
        ratios = try Dictionary(
            members.map { member in
                guard let ratio = member.value["ratio"]?.number.flatMap(Double.init) else {
                    throw ExitCode.failure
                }
                return (member.key, ratio)
            }, uniquingKeysWith: { first, _ in first })
    }

    /// More than 10 % below the known ratio. A new rate has none.
    func isWorse(_ rate: Rate) -> Bool { rate.ratio < 0.9 * (ratios[rate.name] ?? 0) }

    /// The known rates that were not measured.
    func missing(among measured: [String]) -> [String] {
        ratios.keys.filter { !measured.contains($0) }.sorted()
    }

    func text(of name: String) -> String { ratios[name].map { "known: \($0)" } ?? "new" }
}
