import Glibc

/// How much the torture tests do: a small part with all other tests, and everything in `make
/// torture`, which sets EOSVAULT_TORTURE=long.
public enum Torture {
    public static let isLong = isLongForm("EOSVAULT_TORTURE")

    public static func pick<Value>(short: Value, long: Value) -> Value { isLong ? long : short }

    /// - Parameter variable: an environment variable that overrides the amount of the long form.
    public static func pick(short: Int, long: Int, variable: String) -> Int {
        guard isLong else { return short }
        return getenv(variable).flatMap { Int(String(cString: $0)) } ?? long
    }

    /// Prints a figure of the long form on its own line.
    public static func report(_ text: String) {
        if isLong { printFigure("torture: \(text)") }
    }
}

/// How much the tests with random inputs try: the short form in every test run, or everything in
/// `make search`, which sets EOSVAULT_SEARCH=long.
public enum Search {
    public static let isLong = isLongForm("EOSVAULT_SEARCH")

    public static func pick<Value>(short: Value, long: Value) -> Value { isLong ? long : short }

    /// Prints a figure of the long form on its own line.
    public static func report(_ text: String) {
        if isLong { printFigure("search: \(text)") }
    }
}

private func isLongForm(_ variable: String) -> Bool {
    getenv(variable).map { String(cString: $0) } == "long"
}

private func printFigure(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

/// Pseudo-random numbers: the same seed gives the same numbers (SplitMix64).
public struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    public init(seed: UInt64) { state = seed }

    public mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
