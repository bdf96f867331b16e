import Glibc

/// How much is tried: a little with all other tests, and what `make torture` asks for by EOSVAULT_TORTURE=long.
enum Amounts {
    static let isLong = getenv("EOSVAULT_TORTURE").map { String(cString: $0) } == "long"

    static func of(short: Int, long: Int, variable: String? = nil) -> Int {
        guard isLong else { return short }
        return variable.flatMap { getenv($0) }.flatMap { Int(String(cString: $0)) } ?? long
    }

    /// A figure for the report of `make torture`, on a line of its own.
    static func report(_ text: String) {
        guard isLong else { return }
        let line = Array("torture: \(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }
}

/// SplitMix64: the same seed gives the same run.
struct Dice: RandomNumberGenerator {
    private var state: UInt64

    init(seed: Int) { state = UInt64(truncatingIfNeeded: seed) }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}
