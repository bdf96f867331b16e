extension KeyPolicy {
    /// The codes of warnings that `refuse` may have: the codes of `Signing`, which finds the
    /// warnings, except `summary-cut`, which depends on the size of a terminal.
    package static let warningCodes = [
        "abi-change", "abi-override", "abi-unpinned", "abi-unused", "active-change", "approval-without-hash",
        "beyond-tapos", "blind", "code-authorization", "code-change", "code-permission", "context-free-actions",
        "context-free-data", "delay", "development-key", "duplicate-authorization", "duplicate-signer",
        "empty-recipient", "exchange", "expired", "extensions", "foreign-account", "foreign-key",
        "foreign-signer", "foreign-system-contract", "inner-transaction", "invalid-amount", "link", "lockout",
        "look-alike-account", "look-alike-key", "many-authorizations", "no-actions", "no-authorization",
        "non-canonical-signature", "nonce", "not-backed-up", "null-key", "older-abi", "open-after-wait",
        "other-chain-signature", "other-multisig", "other-token", "outlier", "owner-change", "owner-used",
        "payer-absent", "permission-change", "permission-delete", "permission-limits", "privileged",
        "ram-moved", "refused-authority", "resource-limits", "sender-abi", "short-window", "signed-before",
        "stake-given", "system-authorization", "system-recipient", "tokens-destroyed", "too-early",
        "unchecked-data", "unknown-chain", "unknown-signer", "unlink", "unreachable-threshold",
        "unseen-execution", "unseen-proposal", "wide-link",
    ]
}
