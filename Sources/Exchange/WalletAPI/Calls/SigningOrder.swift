import ABICodec
import Codecs
import Keys
import Messages

/// The body of the agent's own call `sign`: a transaction, and what `eosvault sign` reads from its
/// options and files. Only the form is checked here: the vault names chains and keys.
package struct SigningOrder: Equatable, Sendable {
    package struct GivenABI: Equatable, Sendable {
        package let account: Name
        /// As JSON, or raw.
        package let bytes: [UInt8]
        /// True to replace a pinned or built-in ABI that differs.
        package let overrides: Bool
    }

    /// In any form of a file of `eosvault sign`, except a signing request.
    package let transaction: [UInt8]
    /// A name, or a chain id.
    package let chain: String
    /// Public keys and labels; none for the only key of the vault.
    package let keys: [String]
    package let abis: [GivenABI]
    /// Actions `ACCOUNT::ACTION` that are signed as bytes if they can't be decoded.
    package let blind: [String]
    /// The codes of warnings that refuse the transaction.
    package let refuse: [String]
    /// The id that the transaction must have.
    package let expect: String?
    /// Multisig proposals, as get_table_rows or transactions.
    package let proposals: [[UInt8]]
    /// For the transaction of a login: the version of its signing request, 2 or 3.
    package let login: UInt64?

    private static let members: Set = [
        "transaction", "chain", "keys", "abis", "blind", "refuse", "expect", "proposals", "login",
    ]

    init(_ body: [UInt8]) throws(WalletError) {
        let members = try OrderMembers(body: body, Self.members)
        transaction = try members.required("transaction", members.document)
        chain = try members.required("chain", members.text)
        keys = try members.texts("keys")
        abis = try members.objects("abis", ["account", "abi", "abi_base64", "override"]).map(Self.abi)
        blind = try members.texts("blind")
        refuse = try members.texts("refuse")
        expect = try members.text("expect")
        proposals = try members.objects("proposals", ["proposal"]).map { proposal throws(WalletError) in
            try proposal.required("proposal", proposal.document)
        }
        login = try members.number("login")
        if let login, !(2...3).contains(login) { throw members.wrong("login", "is not 2 or 3") }
    }

    private static func abi(_ members: OrderMembers) throws(WalletError) -> GivenABI {
        let text = try members.required("account", members.text)
        guard let account = try? Name(text) else { throw members.wrong("account", "is not a name") }
        let json = try members.object("abi")
        let raw = try members.text("abi_base64").map { text throws(WalletError) in
            guard let bytes = try? Base64.decode(utf8: Array(text.utf8)) else {
                throw members.wrong("abi_base64", "is not base64")
            }
            return bytes
        }
        guard let bytes = json ?? raw, json == nil || raw == nil else {
            throw .wrongBody("an ABI needs one of the members abi and abi_base64")
        }
        return GivenABI(account: account, bytes: bytes, overrides: try members.boolean("override"))
    }
}
