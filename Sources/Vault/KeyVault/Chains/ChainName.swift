import Messages
import Transactions

/// A name that a vault gives to a chain: 1 to 32 lower-case letters, digits and hyphens. It begins
/// with a letter, and hyphens are only between other characters.
package struct ChainName: Hashable, Sendable {
    package static let maximumCount = 32

    package let text: String

    /// A new name. It can't be mistaken for the name of a built-in chain.
    /// - Throws: `chainName` with the problem.
    package init(_ text: String) throws(VaultError) {
        guard let name = ChainName(stored: text) else { throw .input(.chainName(.form)) }
        if let chain = name.builtIn { throw .input(.chainName(.builtIn(chain))) }
        self = name
    }

    /// A name that a vault has. Another version may have other built-in names.
    init?(stored text: String) {
        let bytes = Array(text.utf8)
        let words = text.split(separator: "-", omittingEmptySubsequences: false)
        guard (1...Self.maximumCount).contains(bytes.count),
            bytes.allSatisfy({ Self.isLetter($0) || Self.isDigit($0) || $0 == UInt8(ascii: "-") }),
            let first = bytes.first, Self.isLetter(first), words.allSatisfy({ !$0.isEmpty })
        else { return nil }
        // A review may show the first digits of a chain id.
        guard bytes.count < 6 || !text.allSatisfy({ $0.isHexDigit || $0 == "-" }) else { return nil }
        self.text = text
    }

    /// True for text that can be the name of a chain in a vault.
    package static func isForm(_ text: String) -> Bool { ChainName(stored: text) != nil }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Two names with an equal spelling look alike: they differ only in hyphens, spaces, in
    /// characters such as 0 and o, or in the word `mainnet`.
    var spelling: String { text.spelling }

    /// The built-in name, title or retired name that the name looks like, also with another number
    /// or with a word such as `main` after it.
    private var builtIn: String? {
        let names =
            Chain.all.flatMap { [$0.name, $0.title] + $0.aliases } + Chain.retiredNames + Self.general
        return names.first { [spelling, text.letters.stem.spelling].contains($0.spelling) }
    }

    /// A reader would take these for a public chain.
    private static let general = ["mainnet", "testnet", "main"]
}

extension String {
    fileprivate var letters: String { lowercased().filter { $0.isLetter || $0.isNumber } }

    /// Equal for names that look alike.
    fileprivate var spelling: String {
        let word = letters.replacing("mainnet", with: "")
        return Confusables.prototype(of: word.isEmpty ? letters : word).lowercased()
    }

    /// Without a number and general words at the end.
    fileprivate var stem: String {
        for suffix in ["network", "chain", "main", "net"] where count > suffix.count && hasSuffix(suffix) {
            return String(dropLast(suffix.count)).stem
        }
        guard let last, last.isNumber else { return self }
        return String(dropLast()).stem
    }
}

/// The problem with a name for a chain.
package enum ChainNameProblem: Equatable, Sendable {
    case form
    /// It is a built-in name, or looks like one.
    case builtIn(String)
    /// Another chain of the vault has the name, or one that looks like it.
    case taken(String)
    /// The chain has a built-in name.
    case named(String)
    /// The vault has the greatest number of names.
    case full(maximum: Int)

    var words: Words {
        switch self {
        case .form:
            Words(
                .invalidChainName,
                "has characters other than a-z, 0-9 and single hyphens, does not begin with a letter, has "
                    + "more than \(ChainName.maximumCount) characters, or looks like a part of a chain id")
        case .builtIn(let name):
            Words(.invalidChainName, "is the built-in name `\(name)`, or looks like it")
        case .taken(let name):
            Words(
                .invalidChainName,
                "another chain of the vault has the name `\(name)`, which is the same or looks similar")
        case .named(let name):
            Words(
                .invalidChainName, "the chain has the built-in name `\(name)`", hint: "use the built-in name")
        case .full(let maximum):
            Words(
                .invalidChainName, "the vault has names for \(maximum) chains, which is the maximum",
                hint: "remove a name that is no longer needed")
        }
    }
}
