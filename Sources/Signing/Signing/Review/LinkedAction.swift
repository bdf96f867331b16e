import ABICodec
import Transactions

/// The action of a contract that `linkauth` links to a permission.
package struct LinkedAction: Equatable, Sendable {
    package let contract: Name
    package let action: Name

    /// `ACCOUNT::ACTION`
    package var text: String { "\(contract.text)::\(action.text)" }

    /// Actions of eosio that nodes link to no permission (AntelopeIO/spring,
    /// libraries/chain/authorization_manager.cpp, `check_linkauth_authorization`).
    private static let refused: Set<String> = [
        "updateauth", "deleteauth", "linkauth", "unlinkauth", "canceldelay",
    ]

    /// True if chains refuse the link.
    package var isRefused: Bool { contract.text == "eosio" && Self.refused.contains(action.text) }

    /// Actions of the system contracts that change who controls an account, or that move its
    /// tokens, stake or RAM. core.vaulta passes most of them to eosio, where it is privileged.
    private static let risky: Set<String> = [
        "updateauth", "deleteauth", "linkauth", "unlinkauth", "limitauthchg", "setcode", "setabi",
        "delegatebw",
        "undelegatebw", "unstaketorex", "swapto", "giftram", "ungiftram", "ramtransfer", "buyram",
        "buyrambytes",
        "buyramself", "buyramburn", "ramburn", "sellram", "donatetorex", "buyrex", "sellrex", "deposit",
        "withdraw",
        "bidname", "powerup", "rentcpu", "rentnet", "fundcpuloan", "fundnetloan", "defcpuloan", "defnetloan",
    ]

    /// The actions of any token contract that move, make or destroy tokens. Contracts of NFTs have
    /// an action `transfer` too.
    private static let ofTokens: Set<String> = ["transfer", "issue", "retire"]

    /// True if the permission can take what the account has.
    var isRisky: Bool {
        Self.ofTokens.contains(action.text)
            || (SystemContract.has(contract) && Self.risky.contains(action.text) && !isRefused)
    }
}
