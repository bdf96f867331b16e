import Codecs
import Messages

/// The chain that a signature is for: the SHA-256 of the chain's genesis, which is part of every
/// signing digest.
package struct ChainID: Hashable, Sendable {
    package static let size = 32
    package let bytes: [UInt8]

    package init(bytes: [UInt8]) throws(ChainError) {
        guard bytes.count == Self.size else { throw .wrongLength(expected: 2 * Self.size) }
        self.bytes = bytes
    }

    /// Accepts a name of `Chain.all`, in either letter case, or 64 hex digits.
    package init(_ text: some StringProtocol) throws(ChainError) {
        let text = String(text)
        if let chain = Chain.named(text.lowercased()) {
            self = try ChainID(hex: chain.id)
        } else if let retired = Chain.retired[text.lowercased()] {
            throw .retired(use: retired)
        } else if text.utf8.count == 2 * Self.size {
            self = try ChainID(hex: text)
        } else if text.allSatisfy(\.isHexDigit), text.utf8.count > 12 {
            throw .wrongLength(expected: 2 * Self.size)
        } else {
            throw .unknownName(known: Chain.all.map(\.name))
        }
    }

    /// Accepts only 64 hex digits.
    package init(hex: String) throws(ChainError) {
        guard hex.utf8.count == 2 * Self.size else { throw .wrongLength(expected: 2 * Self.size) }
        try self.init(bytes: converting({ (_: CodecError) in ChainError.invalidHex }, Hex.decode(hex)))
    }

    /// 64 hex digits, lower case.
    package var text: String { Hex.encode(bytes) }

    /// The built-in chain with this id; nil if there is none.
    package var chain: Chain? { Self.known.firstIndex(of: bytes).map { Chain.all[$0] } }

    /// The ids of `Chain.all`.
    private static let known = Chain.all.map { (try? Hex.decode($0.id)) ?? [] }
}

/// Why text does not identify a chain.
package enum ChainError: WordedError, Equatable {
    case unknownName(known: [String])
    /// `use` is the successor of a testnet.
    case retired(use: String)
    case wrongLength(expected: Int)
    case invalidHex
    /// The vault gives the name to one chain, and this version has it built in for another chain.
    case ambiguous

    package var words: Words {
        switch self {
        case .unknownName(let known):
            Words(
                .unknownChain, "unknown chain",
                hint:
                    "known chains: \(known.joined(separator: ", ")); for another chain give its id, 64 hex digits"
            )
        case .retired(let use):
            Words(.unknownChain, "this testnet no longer exists", hint: "did you mean \(use)?")
        case .wrongLength(let expected): Words(.unknownChain, "a chain id has \(expected) hex digits")
        case .invalidHex: Words(.unknownChain, "a chain id has only hex digits")
        case .ambiguous:
            Words(
                .unknownChain, "the vault gives this name to a chain, and it is built in for another chain",
                hint: "give the chain id, or give the chain another name in the vault")
        }
    }
}
