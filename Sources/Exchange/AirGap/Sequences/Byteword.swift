/// The words of BCR-2020-012. Each byte has one word. The first and the last letter identify it.
enum Byteword {
    static let all = text.split(separator: " ").map { Array($0.utf8) }

    /// The bytes by first and last letter: `first * 26 + last`.
    private static let bytes: [UInt8?] = {
        var bytes = [UInt8?](repeating: nil, count: 26 * 26)
        for (byte, word) in all.enumerated() {
            if let place = place(word[0], word[3]) { bytes[place] = UInt8(truncatingIfNeeded: byte) }
        }
        return bytes
    }()

    /// The byte of a word that is given by its first and last letter, of either case.
    static func byte(_ first: UInt8, _ last: UInt8) -> UInt8? { place(first, last).flatMap { bytes[$0] } }

    private static func place(_ first: UInt8, _ last: UInt8) -> Int? {
        guard let row = number(first), let column = number(last) else { return nil }
        return row * 26 + column
    }

    /// The number of an ASCII letter. No other character is a letter of a word.
    private static func number(_ letter: UInt8) -> Int? {
        let lower = letter | 0x20
        return (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(lower) ? Int(lower - UInt8(ascii: "a")) : nil
    }

    private static let text = """
        able acid also apex aqua arch atom aunt away axis back bald barn belt beta bias blue body brag brew \
        bulb buzz calm cash cats chef city claw code cola cook cost crux curl cusp cyan dark data days deli \
        dice diet door down draw drop drum dull duty each easy echo edge epic even exam exit eyes fact fair \
        fern figs film fish fizz flap flew flux foxy free frog fuel fund gala game gear gems gift girl glow \
        good gray grim guru gush gyro half hang hard hawk heat help high hill holy hope horn huts iced idea \
        idle inch inky into iris iron item jade jazz join jolt jowl judo jugs jump junk jury keep keno kept \
        keys kick kiln king kite kiwi knob lamb lava lazy leaf legs liar limp lion list logo loud love luau \
        luck lung main many math maze memo menu meow mild mint miss monk nail navy need news next noon note \
        numb obey oboe omit onyx open oval owls paid part peck play plus poem pool pose puff puma purr quad \
        quiz race ramp real redo rich road rock roof ruby ruin runs rust safe saga scar sets silk skew slot \
        soap solo song stub surf swan taco task taxi tent tied time tiny toil tomb toys trip tuna twin ugly \
        undo unit urge user vast very veto vial vibe view visa void vows wall wand warm wasp wave waxy webs \
        what when whiz wolf work yank yawn yell yoga yurt zaps zero zest zinc zone zoom
        """
}
