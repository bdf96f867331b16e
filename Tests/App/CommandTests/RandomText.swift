/// Random values that are the same in each run (SplitMix64: Steele, Lea, Flood, "Fast splittable
/// pseudorandom number generators", 2014).
struct RandomText: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var value = state
        value = (value ^ (value >> 30)) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ (value >> 27)) &* 0x94d0_49bb_1331_11eb
        return value ^ (value >> 31)
    }

    /// Text of any characters. Half of them are those that escapes consist of, or that move text.
    mutating func text(upTo count: Int) -> String {
        let special = Array(
            "\\\"{}u spacen\n\r\t   \u{1b}[\u{202e}\u{200b}éа\u{7f}0123456789abcdef".unicodeScalars)
        var text = String.UnicodeScalarView()
        for _ in 0..<Int.random(in: 0...count, using: &self) {
            if Bool.random(using: &self) {
                text.append(special[Int.random(in: 0..<special.count, using: &self)])
            } else if let scalar = Unicode.Scalar(UInt32.random(in: 0...0x10ffff, using: &self)) {
                text.append(scalar)
            }
        }
        return String(text)
    }

    /// A word of printable ASCII characters other than the space.
    mutating func word(upTo count: Int) -> String {
        String(
            (0..<Int.random(in: 1...count, using: &self)).map { _ in
                Character(Unicode.Scalar(UInt8.random(in: 0x21...0x7e, using: &self)))
            })
    }

    /// A word of characters that take one column or two.
    mutating func wideWord(upTo count: Int) -> String {
        let wide = ["\u{6f22}", "\u{d55c}", "\u{ff21}", "\u{1f511}"]
        return (0..<Int.random(in: 1...count, using: &self)).map { _ in
            Bool.random(using: &self) ? wide[Int.random(in: 0..<wide.count, using: &self)] : word(upTo: 1)
        }.joined()
    }

    /// An account name of up to twelve letters.
    mutating func account() -> String {
        let letters = Array("abcdefghijklmnopqrstuvwxyz12345")
        return String((0..<12).map { _ in letters[Int.random(in: 0..<letters.count, using: &self)] })
    }
}
