import Messages

/// The code of a warning of a review, for programs. Each code is one row, with everything that does
/// not depend on a transaction. A code never changes.
///
/// `Signing` finds the warnings. A policy can refuse them, so this library has the rows.
package struct WarningCode: RawRepresentable, MessageCode, Sendable {
    package let rawValue: String
    /// The severities with which it occurs, the lowest first. Never empty.
    package let severities: [Severity]
    package let meaning: String
    /// The fields that a warning can have, in the order of its values.
    package let fields: [WarningField]

    private init(_ rawValue: String, _ severities: [Severity], _ meaning: String, _ fields: [WarningField]) {
        (self.rawValue, self.severities, self.meaning, self.fields) = (rawValue, severities, meaning, fields)
    }

    package var name: String { rawValue }

    package init?(rawValue: String) {
        guard let row = Self.allCases.first(where: { $0.rawValue == rawValue }) else { return nil }
        self = row
    }

    private static func note(_ code: String, _ meaning: String, _ fields: [WarningField] = []) -> Self {
        Self(code, [.note], meaning, fields)
    }

    private static func warning(_ code: String, _ meaning: String, _ fields: [WarningField] = []) -> Self {
        Self(code, [.warning], meaning, fields)
    }

    private static func danger(_ code: String, _ meaning: String, _ fields: [WarningField] = []) -> Self {
        Self(code, [.danger], meaning, fields)
    }

    /// A danger in the cases that the meaning lists.
    private static func warningOrDanger(_ code: String, _ meaning: String, _ fields: [WarningField]) -> Self {
        Self(code, [.warning, .danger], meaning, fields)
    }

    /// All rows below.
    package static let allCases: [WarningCode] = [
        expired, shortWindow, tooEarly, noActions, delay, extensions, contextFreeActions, contextFreeData,
        blind, innerTransaction, unknownChain, foreignSystemContract, nonCanonicalSignature, unknownSigner,
        duplicateSigner, abiOverride, olderABI, nullKey, uncheckedData, beyondTAPOS, limits, nonce,
        unpinnedABI, senderABI, foreignSigner, otherChainSigner, noAuthorization, duplicateAuthorization,
        manyAuthorizations, codeAuthorization, systemAuthorization, ownerUsed, ownerChange, activeChange,
        permissionChange, permissionDelete, foreignKey, lockout, openAfterWait, unreachableThreshold,
        notBackedUp, developmentKey, refusedAuthority, foreignAccount, codePermission, lookAlikeKey, link,
        wideLink, unlink, permissionLimits, codeChange, abiChange, privileged, otherToken, systemRecipient,
        emptyRecipient, lookAlikeAccount, unusedABI, exchange, invalidAmount, payerAbsent, ramMoved,
        tokensDestroyed, stakeGiven, outlier, approvalWithoutHash, unseenProposal, unseenExecution,
        otherMultisig, signedBefore, memoPrivateKey, summaryCut,
    ]

    /// The codes that `refuse` of a policy may have. `summary-cut` depends on the size of a
    /// terminal.
    package static let refusable = allCases.map(\.rawValue).filter { $0 != summaryCut.rawValue }.sorted()

    /// The part of the vault in a new authority.
    private static let share: [WarningField] = [
        .number("own_weight", "the weight of the vault's keys"), .threshold,
        .number("missing_weight", "what the vault's keys lack to reach the threshold"), .othersAct, .delay,
    ]
    /// A permission in a new authority.
    private static let added: [WarningField] = [
        .text("added", "the account that an authority gets"),
        .number("weight", "of the account in the authority"), .threshold, .othersAct, .delay,
    ]

    package static let expired = warning(
        "expired", "the expiration has passed", [.number("seconds_ago", "since the expiration")])
    package static let shortWindow = warning(
        "short-window", "the transaction expires within minutes", [.expiresInSeconds])
    package static let tooEarly = warning(
        "too-early", "nodes do not accept the transaction yet",
        [.number("pushable_in_seconds", "until nodes accept it")])
    package static let noActions = warning("no-actions", "the transaction has no actions")
    package static let delay = warning("delay", "delay_sec is not 0", [.delay])
    package static let extensions = warning("extensions", "the transaction has extensions", [.count])
    package static let contextFreeActions = warning(
        "context-free-actions", "the transaction has context-free actions")
    package static let contextFreeData = warning(
        "context-free-data", "the transaction has context-free data without context-free actions")
    package static let blind = danger("blind", "an action can't be decoded and is signed as bytes")
    package static let innerTransaction = warning(
        "inner-transaction", "an action contains another transaction")
    package static let unknownChain = warning(
        "unknown-chain", "the chain id is not built in, and the vault gives it no name")
    package static let foreignSystemContract = warning(
        "foreign-system-contract", "the built-in ABI may not be the ABI of this chain's system contract")
    package static let nonCanonicalSignature = warning(
        "non-canonical-signature", "a signature is not canonical")
    package static let unknownSigner = warning(
        "unknown-signer", "no public key can be recovered from a signature")
    package static let duplicateSigner = warning("duplicate-signer", "two signatures are by the same key")
    package static let abiOverride = danger(
        "abi-override", "a given ABI replaces a pinned or built-in one and decodes actions differently",
        [
            .abiHash,
            .text("pinned_abi_sha256", "the SHA-256 of the pinned ABI"),
            .text("built_in_abi_sha256", "the SHA-256 of the built-in ABI"),
        ])
    package static let olderABI = warning(
        "older-abi", "an action is decoded with an older built-in ABI",
        [.text("abi_date", "the date of the ABI")])
    package static let nullKey = warning("null-key", "an action contains the all-zero public key")
    package static let uncheckedData = warning(
        "unchecked-data", "decoded data in the file can't be compared with the bytes that are signed")
    package static let beyondTAPOS = warning(
        "beyond-tapos", "the reference block will be too old when nodes would accept the transaction",
        [.expiresInSeconds])
    package static let limits = note(
        "resource-limits", "the transaction limits its own resources",
        [.number("max_net_usage_words", "the limit"), .number("max_cpu_usage_ms", "the limit")])
    package static let nonce = note("nonce", "the only context-free action is a nonce")
    package static let unpinnedABI = warning(
        "abi-unpinned", "an action is decoded with a given ABI that is not pinned")
    package static let senderABI = warning(
        "sender-abi", "the sender of the transaction used another ABI than the review",
        [.text("sender_abi_sha256", "the SHA-256 of the ABI that the sender used"), .abiHash])
    package static let foreignSigner = warning(
        "foreign-signer", "a signature is by a key that is not in the vault", [.publicKey])
    package static let otherChainSigner = warning(
        "other-chain-signature", "a key of the vault signed the transaction for another chain",
        [.publicKey, .text("chain", "the other chain")])
    package static let noAuthorization = warning("no-authorization", "an action has no authorization")
    package static let duplicateAuthorization = warning(
        "duplicate-authorization", "an action has the same authorization twice")
    package static let manyAuthorizations = warning(
        "many-authorizations", "an action has more than 16 authorizations", [.count])
    package static let codeAuthorization = warning(
        "code-authorization", "an action is authorized by eosio.code")
    package static let systemAuthorization = warning(
        "system-authorization", "an action is authorized by a system account")
    package static let ownerUsed = warning("owner-used", "an action is authorized by an owner permission")
    package static let ownerChange = danger("owner-change", "an action replaces an owner permission", share)
    package static let activeChange = danger(
        "active-change", "an action replaces an active permission", share)
    package static let permissionChange = warning(
        "permission-change", "an action replaces another permission", share)
    package static let permissionDelete = warning("permission-delete", "an action deletes a permission")
    package static let foreignKey = warningOrDanger(
        "foreign-key",
        "an authority has keys that can't be compared, or are not in the vault (a danger in a permission "
            + "other than owner and active)",
        [
            .number("foreign_keys", "those that are not in the vault"),
            .number("keys", "the keys of the authority"),
            .othersAct,
            .delay,
        ])
    package static let lockout = danger(
        "lockout", "a new owner or active authority needs no key of the vault, or nothing satisfies it")
    package static let openAfterWait = danger(
        "open-after-wait", "waits alone satisfy an authority, so that anyone can act after the delay",
        [.delay])
    package static let unreachableThreshold = danger(
        "unreachable-threshold", "the weights of an authority do not reach its threshold",
        [.threshold, .number("weights", "the sum of its weights")])
    package static let notBackedUp = danger(
        "not-backed-up", "an owner or active authority depends on a key that no verified backup contains",
        [.publicKey])
    package static let developmentKey = danger(
        "development-key", "the published development key gets authority over an account or signs its blocks",
        [.changedAccount])
    package static let refusedAuthority = warning(
        "refused-authority", "the parts of an authority are not in the order that chains require")
    package static let foreignAccount = warningOrDanger(
        "foreign-account",
        "an authority contains a permission (a danger if it is another account's, in a permission other "
            + "than owner and active)",
        added)
    package static let codePermission = warningOrDanger(
        "code-permission",
        "an authority contains eosio.code (a danger if it is another account's, in a permission other "
            + "than owner and active)",
        added)
    package static let lookAlikeKey = danger(
        "look-alike-key", "an authority contains a key that looks like a key of the vault",
        [.publicKey, .text("imitated_key", "your key that it resembles")])
    package static let link = warningOrDanger(
        "link",
        "an action links a permission to an action (a danger for `transfer`, `issue` and `retire` of any "
            + "contract, and for actions of the system that change authorities or code, or move tokens, stake "
            + "or RAM)",
        [.contract, .text("linked_action", "the linked action")])
    package static let wideLink = danger(
        "wide-link", "an action links a permission to all actions of a contract, or to eosio.any",
        [.changedAccount, .contract])
    package static let unlink = warning(
        "unlink", "an action removes a link of a permission", [.changedAccount])
    package static let permissionLimits = warning(
        "permission-limits", "an action limits which permissions can change permissions", [.changedAccount])
    package static let codeChange = danger(
        "code-change", "an action replaces or removes the code of an account", [.changedAccount])
    package static let abiChange = warning(
        "abi-change", "an action replaces the ABI of an account", [.changedAccount])
    package static let privileged = danger(
        "privileged", "an action that only the system may run", [.changedAccount])
    package static let otherToken = warning(
        "other-token", "a token has the name of a known token, but another contract or precision",
        [
            .text("symbol", "of the token"),
            .contract,
            .text("known_symbol", "of the known token"),
            .text("known_contract", "of the known token"),
        ])
    package static let systemRecipient = warning(
        "system-recipient", "a transfer to a system account or to the token's contract", [.recipient])
    package static let emptyRecipient = warning("empty-recipient", "a transfer to the empty name")
    package static let lookAlikeAccount = warning(
        "look-alike-account", "a recipient's name looks like another account's",
        [.recipient, .text("imitated", "the account with the similar name")])
    package static let unusedABI = warning(
        "abi-unused", "an ABI was given for an account that the transaction does not use")
    package static let exchange = note("exchange", "a transfer to core.vaulta, which exchanges tokens")
    package static let invalidAmount = warning("invalid-amount", "an amount is zero or negative")
    package static let payerAbsent = warning(
        "payer-absent", "the payer does not authorize the payment",
        [.text("payer", "who does not authorize the payment")])
    package static let ramMoved = warning("ram-moved", "an action moves, sells or destroys RAM")
    package static let tokensDestroyed = warning(
        "tokens-destroyed", "an action destroys tokens, or donates them without a return")
    package static let stakeGiven = warning(
        "stake-given", "staked tokens will belong to the recipient", [.recipient])
    package static let outlier = warning(
        "outlier", "one payment is more than all others together",
        [.text("quantity", "the payment"), .recipient])
    package static let approvalWithoutHash = danger(
        "approval-without-hash", "an approval has no proposal_hash", [.proposer])
    package static let unseenProposal = danger(
        "unseen-proposal", "an approval of a proposal that is not given", [.proposer, .proposal])
    package static let unseenExecution = danger(
        "unseen-execution", "an action runs a proposal that the signature does not contain",
        [.proposer, .proposal])
    package static let otherMultisig = warning(
        "other-multisig", "a contract with the interface of eosio.msig that is not eosio.msig")
    package static let signedBefore = warning(
        "signed-before", "the vault signed the same actions before, and both transactions can run",
        [
            .text("transaction_id", "the transaction that was signed before"),
            .text("expiration", "its expiration"),
        ])
    package static let memoPrivateKey = danger(
        "memo-private-key",
        "the memo of a payment contains a private key, which everyone can read on the chain")
    package static let summaryCut = warning(
        "summary-cut", "the summary does not show each payer, token and kind of change")
}

extension WarningCode: Hashable {
    package static func == (left: Self, right: Self) -> Bool { left.rawValue == right.rawValue }

    package func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

/// How much attention a warning needs.
package enum Severity: String, Comparable, CaseIterable, Sendable {
    case note, warning, danger

    package static func < (left: Severity, right: Severity) -> Bool {
        (allCases.firstIndex(of: left) ?? 0) < (allCases.firstIndex(of: right) ?? 0)
    }
}

/// A member of a warning's JSON: a text or a number.
package struct WarningField: Sendable {
    package let name: String
    package let isNumber: Bool
    package let meaning: String

    fileprivate static func text(_ name: String, _ meaning: String) -> Self {
        Self(name: name, isNumber: false, meaning: meaning)
    }

    fileprivate static func number(_ name: String, _ meaning: String) -> Self {
        Self(name: name, isNumber: true, meaning: meaning)
    }

    // The fields of several warnings.
    fileprivate static let abiHash = text(
        "abi_sha256", "the SHA-256 of the given ABI, or of the ABI that the review uses")
    fileprivate static let changedAccount = text("changed_account", "the account that is changed")
    fileprivate static let contract = text("contract", "of the token or link")
    fileprivate static let count = number("count", "the number of extensions or authorizations")
    fileprivate static let delay = number("delay_sec", "the delay")
    fileprivate static let expiresInSeconds = number("expires_in_seconds", "until the expiration")
    fileprivate static let othersAct = text(
        "others_act", "when others satisfy the authority without the vault: `now`, `after` or `never`")
    fileprivate static let proposal = text("proposal", "its name")
    fileprivate static let proposer = text("proposer", "of the proposal")
    fileprivate static let publicKey = text("public_key", "the key")
    fileprivate static let recipient = text("recipient", "its recipient")
    fileprivate static let threshold = number("threshold", "of the authority")
}
