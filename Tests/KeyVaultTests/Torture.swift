import Glibc

/// How long the proofs of this folder run: `make torture` sets EOSVAULT_TORTURE=long, and the tests run a short form of each.
enum Torture {
    static let isLong = getenv("EOSVAULT_TORTURE").map { String(cString: $0) } == "long"

    static func pick<Value>(short: Value, long: Value) -> Value { isLong ? long : short }

    /// What was counted, for the note; the short form says nothing.
    static func tell(_ what: String) {
        if isLong { print("torture: \(what)") }
    }
}

/// Numbers that look random and are the same in each run (SplitMix64).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ mixed >> 27) &* 0x94d0_49bb_1331_11eb
        return mixed ^ mixed >> 31
    }
}
