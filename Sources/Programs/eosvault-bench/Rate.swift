import ArgumentParser
import JSON

/// A rate: operations per second, with its baseline.
struct Rate {
    let name: String
    let yardstickName: String
    let ours: Double
    let yardstick: Double
    /// The median over all rounds. Each round measures both, one after the other.
    let ratio: Double

    /// Measures both, each as calls that take a fiftieth of a second. The baseline is C code, which
    /// returns 0 if it succeeds.
    /// - Parameter count: the number of operations in one call of either closure.
    static func compare(
        _ name: String, with yardstickName: String, count: Int, ours: () throws -> Void,
        c yardstick: () -> Int32
    ) throws -> Rate {
        try compare(name, with: yardstickName, count: count, ours: ours) {
            guard yardstick() == 0 else { throw ExitCode.failure }
        }
    }

    /// Measures both in turn and alternates the order, so that both see the same machine state.
    /// - Parameters:
    ///   - count: the number of operations in one call of either closure.
    ///   - ours, yardstick: do the work, or throw.
    static func compare(
        _ name: String, with yardstickName: String, count: Int, rounds: Int = 41, ours: () throws -> Void,
        yardstick: () throws -> Void
    ) throws -> Rate {
        let (oursCalls, yardstickCalls) = (try calls(of: ours), try calls(of: yardstick))
        return try compare(name, with: yardstickName, rounds: rounds) {
            try Stopwatch.time { for _ in 0..<oursCalls { try ours() } } / Double(oursCalls * count)
        } yardstick: {
            try Stopwatch.time { for _ in 0..<yardstickCalls { try yardstick() } }
                / Double(yardstickCalls * count)
        }
    }

    /// Compares two closures that measure themselves: each returns the seconds for one operation.
    static func compare(
        _ name: String, with yardstickName: String, rounds: Int, ours: () throws -> Double,
        yardstick: () throws -> Double
    ) throws -> Rate {
        var times: [(ours: Double, yardstick: Double)] = []
        for round in 0..<rounds {
            if round.isMultiple(of: 2) {
                let first = try ours()
                times.append((first, try yardstick()))
            } else {
                let first = try yardstick()
                times.append((try ours(), first))
            }
        }
        return Rate(
            name: name, yardstickName: yardstickName, ours: 1 / median(times.map(\.ours)),
            yardstick: 1 / median(times.map(\.yardstick)),
            ratio: median(times.map { $0.yardstick / $0.ours }))
    }

    /// How often a step runs in a second of processor time: the median of nine rounds.
    static func perSecond(_ step: () throws -> Void) throws -> Double {
        let count = try calls(of: step)
        let times = try (0..<9).map { _ in try Stopwatch.time { for _ in 0..<count { try step() } } }
        return Double(count) / median(times)
    }

    /// The number of calls that take a fiftieth of a second, measured after one call that fills the
    /// caches.
    private static func calls(of step: () throws -> Void) throws -> Int {
        try step()
        return max(1, Int(0.02 / max(try Stopwatch.time(step), 1e-7)))
    }

    private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

extension Rate {
    var line: String {
        func padded(_ text: String, _ width: Int, left: Bool = false) -> String {
            let blanks = String(repeating: " ", count: max(0, width - text.count))
            return left ? text + blanks : blanks + text
        }
        return padded(name, 26, left: true) + padded("\(Int(ours))", 10) + " /s  "
            + padded("\(Int(yardstick))", 10) + " /s  " + padded(ratioText(digits: 2), 5) + "  "
            + yardstickName
    }

    var json: JSONValue {
        [
            "yardstick": .string(yardstickName), "per_s": .number(Int(ours)),
            "yardstick_per_s": .number(Int(yardstick)), "ratio": .number(ratioText(digits: 4)),
        ]
    }

    private func ratioText(digits: Int) -> String {
        let unit = (0..<digits).reduce(1) { unit, _ in unit * 10 }
        let value = Int((ratio * Double(unit)).rounded())
        return "\(value / unit)." + "\(unit + value % unit)".dropFirst()
    }
}
