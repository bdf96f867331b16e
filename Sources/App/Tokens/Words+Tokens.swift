import Shell

extension TerminalPurpose {
    static let tokenPIN = TerminalPurpose(
        "the PIN of the token", hint: "give --token-pin-file or --token-pin-fd")
}

extension Words {
    static let onlyInToken = "the private key is only in the token: no backup of the vault contains it"
    /// After a copy of a vault was made.
    static func keysInTokens(_ count: Int) -> String {
        "\(Words.count(count, "key")) \(count == 1 ? "is" : "are") in tokens: the copy names the tokens, and does "
            + "not contain the private \(count == 1 ? "key" : "keys")"
    }
    static let typedOnToken = "type the PIN on the token"
    static let lastTokenTry = "the token locks its PIN after one more wrong PIN"
    static let extractableTokenKey =
        "the token may export this key: CKA_EXTRACTABLE is not false, or CKA_SENSITIVE is not true"

    static func keyLeftInToken(_ uri: String) -> String {
        "the token may still have the new key \(uri), which no vault uses: remove it with the vendor's tool"
    }

    static func nextToken(_ token: String, _ reason: String) -> String {
        "\(token): \(reason); the next token of the key is used"
    }
}
