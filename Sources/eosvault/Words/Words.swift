/// What a person is told of an error: one line of what is wrong, and one of what to do next. All
/// words of the program for errors stand in this folder.
struct Words: Equatable {
    /// For programs: lower case, words joined by hyphens.
    let code: String
    /// Lower case, no full stop.
    let message: String
    let hint: String

    /// - Parameter hint: What to do next; nil takes the general hint of the code.
    init(_ code: String, _ message: String, hint: String? = nil) {
        self.code = code
        self.message = message
        self.hint = hint ?? Self.generalHint(code)
    }

    /// The same, with the place where it went wrong before the message.
    func at(_ place: String) -> Words { Words(code, "\(place): \(message)", hint: hint) }

    /// `1 byte`, `2 bytes`.
    static func count(_ number: some BinaryInteger, _ noun: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}

/// What a command refuses itself.
enum CommandError: Error, Equatable {
    /// A command-line argument has the shape of a private key.
    case secretArgument
    /// The argument of this number is not UTF-8.
    case argumentNotUTF8(Int)
    /// The system does not keep other processes from reading this one's memory.
    case readableProcess
    /// The limit on the stack, and the least that is enough, in bytes.
    case smallStack(limit: Int, least: Int)
    case noHome
    case noKey(vault: String)
    /// The vault's keys, one of which must be named.
    case severalKeys([String])
    case unknownKey(vault: String)
    /// The person answered no: nothing is signed.
    case declined
    /// The person answered no, or typed something else than the name of what was to be removed.
    case notRemoved
    /// The words that were shown did not come back.
    case phraseNotConfirmed
    /// Which of these slots has the PIN that was lost can't be told.
    case whichPIN([Int])
    case r1Import
    /// A damaged vault of which no entry opens.
    case nothingRescued
    /// The vault can't be written, so that its audit log would not tell of a signature.
    case unrecorded
    /// A private key, and nobody sees where standard output leads.
    case exportInTheClear
}
