import Codecs

/// The contract that a pinned ABI is for: an account of a chain.
package struct ContractAddress: Hashable, Sendable {
    static let chainIDCount = 32

    /// The chain id.
    package let chain: [UInt8]
    /// The name of the account, as nodeos prints it.
    package let account: String

    /// - Returns: nil for a chain id that does not have 32 bytes, and for a name that nodeos would
    ///   not print.
    package init?(chain: [UInt8], account: String) {
        guard chain.count == Self.chainIDCount, Self.isName(Array(account.utf8)) else { return nil }
        self.chain = chain
        self.account = account
    }

    /// Reads the name of a row (VaultFormat.md, "Pinned ABIs").
    /// - Returns: nil for every other name.
    init?(rowName: String) {
        let parts = rowName.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let chain = try? Hex.decode(parts[0]) else { return nil }
        self.init(chain: chain, account: String(parts[1]))
        // The chain id in upper case is another name.
        guard self.rowName.utf8.elementsEqual(rowName.utf8) else { return nil }
    }

    var rowName: String { "\(Hex.encode(chain)):\(account)" }

    /// True if the text is a name of 1 to 12 characters of `.12345a-z` and a 13th of `.1-5a-j`,
    /// without a dot at its end (AntelopeIO/spring, libraries/chain/include/eosio/chain/name.hpp).
    private static func isName(_ text: [UInt8]) -> Bool {
        guard let last = text.last, text.count <= 13, last != UInt8(ascii: ".") else { return false }
        let letters = UInt8(ascii: "a")...(text.count == 13 ? UInt8(ascii: "j") : UInt8(ascii: "z"))
        let isLast = letters.contains(last) || digits.contains(last)
        return isLast
            && text.dropLast().allSatisfy {
                $0 == UInt8(ascii: ".") || digits.contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0)
            }
    }

    private static let digits = UInt8(ascii: "1")...UInt8(ascii: "5")
}
