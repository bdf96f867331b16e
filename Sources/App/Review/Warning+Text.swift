import ABICodec
import Keys
import Shell
import Signing
import Transactions

extension Warning {
    /// One sentence for the person who is about to sign, without the place of the action.
    var text: String {
        switch self {
        case .transaction(let warning): warning.text(isNested: false)
        case .nested(_, let warning): warning.text(isNested: true)
        case .signature(let index, let warning): "signature \(index + 1) \(warning.text)"
        case .permission(_, let level, let warning): warning.text(level)
        case .action(let action, let warning): warning.text(action)
        }
    }
}

extension TransactionWarning {
    /// - Parameter isNested: whether the transaction is in an action, or named by one.
    fileprivate func text(isNested: Bool) -> String {
        let subject = isNested ? "the inner transaction" : "the transaction"
        return switch self {
        case .expired(let seconds):
            "\(subject) expired \(Duration.text(seconds)) ago, by this machine's clock: "
                + (isNested ? "it can't be executed" : "build it again with a later expiration")
        case .shortWindow(let seconds):
            "the transaction expires in \(Duration.text(seconds)): if the way back to a node takes longer, build it "
                + "again with a later expiration (nodes accept it in its last hour), or propose it with eosio.msig"
        case .tooEarly(let seconds):
            "too early: nodes accept the transaction only in the last hour before it expires, "
                + "which starts in \(Duration.text(seconds))"
        case .beyondTAPOS(let seconds):
            "the transaction expires in \(Duration.text(seconds)), but its reference block is valid for about "
                + "9 hours: nodes will not accept it; build it again with an earlier expiration, or propose it with "
                + "eosio.msig"
        case .noActions: "\(subject) has no actions"
        case .delay(let seconds) where isNested:
            "delay_sec of the inner transaction is \(seconds): contracts execute it only after the delay, or refuse it"
        case .delay(let seconds):
            "delay_sec is \(seconds): most public chains refuse deferred transactions; "
                + "other chains run the transaction after the delay"
        case .extensions(let count):
            "\(subject) has \(Amount.count(count, "transaction extension")), which current chains refuse"
        case .limits(let words, let milliseconds):
            "\(subject) limits its own resources: max_net_usage_words \(words), "
                + "max_cpu_usage_ms \(milliseconds)"
        case .contextFreeActions: "\(subject) has context-free actions, which no one authorizes"
        case .nonce: "a context-free nonce makes equal transactions different; it does nothing else"
        case .contextFreeDataWithoutActions: "the transaction has context-free data but no context-free actions"
        case .unknownChain: "the chain id is not one of the built-in public chains"
        case .foreignSystemContract(let account):
            "\(account.text) is decoded with the built-in ABI, but this chain's system contract may differ: "
                + "compare its abi_hash with several nodes, then pin this chain's ABI with `eosvault abi pin`"
        case .abiOverride(let override): Words.abiOverride(override)
        case .senderABI(let difference): Words.senderABI(difference)
        case .unpinnedABI(let account):
            "the actions of \(account.text) are decoded with an unverified ABI: compare its abi_hash with several "
                + "nodes, then run "
                + "`eosvault abi pin \(account.text) FILE --chain CHAIN`"
        case .unusedABI(let account):
            "the transaction does not use the given ABI of \(account.text): check the name in --abi"
        case .signedBefore(let id, let expiration):
            "this vault signed the same actions before, in transaction \(id), which can run until "
                + "\(expiration.text) UTC: if you sign, both transactions can run"
        case .summaryCut(let payments, let changes):
            "the summary has no room for "
                + [
                    payments > 0 ? Amount.count(payments, "more payer or token", plural: "more payers or tokens") : nil,
                    changes > 0 ? Amount.count(changes, "more kind of change", plural: "more kinds of changes") : nil,
                ].compactMap(\.self).joined(separator: " and ") + ": read all actions"
        }
    }
}

extension SignatureWarning {
    /// Follows `signature N`.
    fileprivate var text: String {
        switch self {
        case .nonCanonical: "is not canonical: current chains refuse it"
        case .unknownSigner: "has an unknown signer: no public key can be recovered from it"
        case .duplicateSigner: "is by the same key as an earlier signature: chains refuse duplicates"
        case .foreignSigner(let key): "is by a key that is not in this vault: \(key.text)"
        case .otherChain(let key, let chain):
            "is by \(key.text) of this vault, made for \(chain.title): it is not valid here"
        }
    }
}

extension PermissionWarning {
    fileprivate func text(_ level: PermissionLevel) -> String {
        switch self {
        case .ownerUsed: "uses \(level.text): for most actions, the active permission is enough"
        case .duplicateAuthorization: "the action is authorized twice by \(level.text)"
        case .codeAuthorization:
            "\(level.text) can only be used by the contract's code (eosio.code), not by a key"
        case .systemAuthorization: "the action is authorized by \(level.text), a system account"
        case .changed(nil): "replaces who controls \(level.text)"
        case .changed(let share?): "replaces who controls \(level.text)" + share.text
        case .deleted: "deletes the permission \(level.text)"
        case .foreignKeys(1, 1, _):
            "the key of \(level.text) is not in this vault: check who controls \(level.actor.text)"
        case .foreignKeys(let count, let all, _) where count == all:
            "none of the keys of \(level.text) is in this vault: check who controls \(level.actor.text)"
        case .foreignKeys(let count, let all, let reach):
            "\(Amount.text(count)) of the \(Amount.text(all)) keys of \(level.text) "
                + "\(count == 1 ? "is" : "are") not in this vault" + reach.text
        case .keysNotCompared: "check that you own the keys of \(level.text): there is no vault to compare them with"
        case .lockout:
            "\(level.text) will need no key of this vault: you may lose control of it"
        case .openAfterWait(let seconds):
            "anyone can act as \(level.text) without a key: waits alone reach the threshold, after "
                + Duration.text(Int64(seconds))
        case .unreachableThreshold(0, _): "the threshold of \(level.text) is 0: chains refuse it"
        case .unreachableThreshold(let threshold, let weights):
            "the threshold \(threshold) of \(level.text) can't be reached, because the weights that count sum to "
                + "\(weights): nobody could use the permission"
        case .refusedAuthority:
            "chains refuse the authority of \(level.text): sort its keys, accounts and waits, each only once, and use "
                + "no wait of 0"
        case .notBackedUp(let key):
            "\(level.text) depends on \(key.text), which no verified backup contains: run `eosvault backup` first"
        case .account(let added): added.level.text + added.text(in: level)
        case .code(let added): "the contract code of \(added.level.actor.text) (eosio.code)" + added.text(in: level)
        case .lookAlikeKey(let key, let imitated):
            "\(key) in \(level.text) is not your key, but looks like your key \(imitated.text)"
        case .linked(let link) where link.isRefused: "links \(link.text) to \(level.text): chains refuse this link"
        case .linked(let link): "\(level.text) can authorize \(link.text) from now on"
        case .linkedToAll(let contract): "\(level.text) can authorize all actions of \(contract.text) from now on"
        }
    }
}

extension OwnShare {
    /// Follows the permission that is replaced.
    fileprivate var text: String {
        // A vault without a weight can't prevent anything.
        let othersText = accounts.isEmpty || weight == 0 ? nil : others.textOfOthers
        let facts = [missing > 0 ? missingText : nil, othersText].compactMap(\.self)
        return facts.isEmpty ? "" : ": " + facts.joined(separator: "; ")
    }

    /// How much weight the vault has, and who has the rest.
    private var missingText: String {
        var sources = otherKeys > 0 ? [Amount.count(otherKeys, "other key")] : []
        sources += accounts.prefix(Self.shownAccounts).map(\.text)
        let rest = accounts.count - Self.shownAccounts
        if rest > 0 { sources.append(Amount.count(rest, "more account")) }
        if waits > 0 { sources.append(Amount.count(waits, "wait")) }
        let missing = Amount.text(Int(clamping: missing))
        return "this vault's keys have weight \(Amount.text(Int(clamping: weight))) of \(Amount.text(Int(threshold))); "
            + (sources.isEmpty
                ? "nobody has the other \(missing)"
                : "the other \(missing) must come from " + sources.joined(separator: ", "))
    }

    private static let shownAccounts = 3
}

extension AuthorityReach {
    /// What the foreign keys of an authority can do.
    fileprivate var text: String { when.map { ", and can act without this vault" + $0 } ?? "" }

    /// What all other keys and accounts can do; nil for nothing.
    fileprivate var textOfOthers: String? { when.map { "the other keys and accounts can act without this vault" + $0 } }

    private var when: String? {
        switch self {
        case .never: nil
        case .now: ""
        case .after(let seconds): " after \(Duration.text(Int64(seconds)))"
        }
    }
}

extension AddedPermission {
    /// Follows who gets the permission.
    fileprivate func text(in level: PermissionLevel) -> String {
        switch reach {
        case .now: " can act as \(level.text)"
        case .after(let seconds): " can act as \(level.text) after a delay of \(Duration.text(Int64(seconds)))"
        case .never: " counts \(Amount.text(Int(weight))) of \(Amount.text(Int(threshold))) in \(level.text)"
        }
    }
}

extension ActionWarning {
    fileprivate func text(_ action: ActionReference) -> String {
        switch self {
        case .blind:
            "\(action.text) can't be decoded: you would sign it without seeing what it does; "
                + "it can do anything that its authorizations can do"
        case .olderABI(let date):
            "\(action.text) is decoded with an ABI of \(date): the contract may now decode these bytes differently"
        case .uncheckedData: Words.uncheckedData(action.account, action.name)
        case .nullKey:
            "\(action.text) contains the all-zero public key: no one has its private key, so it can never sign"
        case .noAuthorization: "the action has no authorization: chains refuse it"
        case .manyAuthorizations(let count): "the action has \(Amount.text(count)) authorizations"
        case .unlinked(let account): "removes a link between an action and a permission of \(account.text)"
        case .linkedToAny(let account, let contract):
            "links to eosio.any: every permission of \(account.text) can authorize actions of \(contract.text)"
        case .permissionLimits(let account): "limits which permissions can change the permissions of \(account.text)"
        case .codeChange(let account):
            "replaces or removes the code of \(account.text): new code can control its assets; check the sha256"
        case .abiChange(let account): "wallets will decode actions of \(account.text) with the new ABI"
        case .privileged: "\(action.text) changes the system: only a system account can authorize it"
        case .developmentKey(let account):
            "the published development key gets authority over \(account.text) or signs its blocks: "
                + "its private key is published"
        case .otherToken(let symbol, let contract, let known) where contract == known.contract:
            "\(symbol.code.text) has \(symbol.precision) decimals here, but the chain's known token of "
                + "\(contract.text) has \(known.symbol.precision)"
        case .otherToken(let symbol, let contract, let known):
            "\(symbol.code.text) of \(contract.text) is another token than the chain's known "
                + "\(known.symbol.code.text) of \(known.contract.text)"
        case .systemRecipient(let account):
            "\(account.text) is a system account or the token's contract: tokens sent to it may be lost"
        case .emptyRecipient: "the recipient is the empty name: no account has it"
        case .lookAlikeAccount(let account, let imitated):
            "\(account.text) is not \(imitated.text), but its name looks similar"
        case .exchange: "core.vaulta exchanges EOS and A, one for the other"
        case .zeroAmount: "the amount is 0"
        case .negativeAmount: "the amount is negative: token contracts refuse it"
        case .payerAbsent(let payer): "\(payer.text) does not authorize this payment: token contracts should refuse it"
        case .destroysTokens: "\(action.text) destroys tokens or donates them: they never come back"
        case .ramMoved: "\(action.text) moves, sells or destroys RAM"
        case .stakeGiven(let recipient): "the staked tokens will belong to \(recipient.text)"
        case .outlier(let quantity, let recipient):
            "pays \(Amount.text(quantity)) to \(recipient.text), more than all other payments together"
        case .innerTransaction: "the actions marked | run when the inner transaction is executed"
        case .approvalWithoutHash(let proposer):
            "approves without proposal_hash: \(proposer.text) can replace the proposal before it runs"
        case .unseenProposal(let proposer, let name):
            "approves \(name.text) of \(proposer.text), which is not shown: give it with --proposal FILE"
        case .unseenExecution(let proposer, let name):
            "runs the proposal \(name.text) of \(proposer.text) as it is on the chain: check it there before you sign"
        case .otherMultisig: "\(action.account.text) is not eosio.msig: it may treat this action differently"
        }
    }
}

extension WarningCode: MessageCode {
    package var name: String { rawValue }

    package var meaning: String {
        switch self {
        case .expired: "the expiration has passed"
        case .shortWindow: "the transaction expires within minutes"
        case .tooEarly: "nodes do not accept the transaction yet"
        case .beyondTAPOS: "the reference block will be too old when nodes would accept the transaction"
        case .noActions: "the transaction has no actions"
        case .delay: "delay_sec is not 0"
        case .extensions: "the transaction has extensions"
        case .limits: "the transaction limits its own resources"
        case .contextFreeActions: "the transaction has context-free actions"
        case .nonce: "the only context-free action is a nonce"
        case .contextFreeData: "the transaction has context-free data without context-free actions"
        case .blind: "an action can't be decoded and is signed as bytes"
        case .innerTransaction: "an action contains another transaction"
        case .unknownChain: "the chain id is not built in"
        case .foreignSystemContract: "the built-in ABI may not be the ABI of this chain's system contract"
        case .nonCanonicalSignature: "a signature is not canonical"
        case .unknownSigner: "no public key can be recovered from a signature"
        case .duplicateSigner: "two signatures are by the same key"
        case .foreignSigner: "a signature is by a key that is not in the vault"
        case .otherChainSigner: "a key of the vault signed the transaction for another chain"
        case .abiOverride: "a given ABI replaces a pinned or built-in one and decodes actions differently"
        case .senderABI: "the sender of the QR codes used another ABI than the review"
        case .unpinnedABI: "an action is decoded with a given ABI that is not pinned"
        case .olderABI: "an action is decoded with an older built-in ABI"
        case .nullKey: "an action contains the all-zero public key"
        case .uncheckedData: "decoded data in the file can't be compared with the bytes that are signed"
        case .noAuthorization: "an action has no authorization"
        case .duplicateAuthorization: "an action has the same authorization twice"
        case .manyAuthorizations: "an action has more than 16 authorizations"
        case .codeAuthorization: "an action is authorized by eosio.code"
        case .systemAuthorization: "an action is authorized by a system account"
        case .ownerUsed: "an action is authorized by an owner permission"
        case .ownerChange: "an action replaces an owner permission"
        case .activeChange: "an action replaces an active permission"
        case .permissionChange: "an action replaces another permission"
        case .permissionDelete: "an action deletes a permission"
        case .foreignKey:
            "an authority has keys that can't be compared, or are not in the vault "
                + "(a danger in a permission other than owner and active)"
        case .lockout: "a new owner or active authority needs no key of the vault, or nothing satisfies it"
        case .openAfterWait: "waits alone satisfy an authority, so that anyone can act after the delay"
        case .unreachableThreshold: "the weights of an authority do not reach its threshold"
        case .notBackedUp: "an owner or active authority depends on a key that no verified backup contains"
        case .developmentKey: "the published development key gets authority over an account or signs its blocks"
        case .refusedAuthority: "the parts of an authority are not in the order that chains require"
        case .foreignAccount:
            "an authority contains a permission "
                + "(a danger if it is another account's, in a permission other than owner and active)"
        case .codePermission:
            "an authority contains eosio.code "
                + "(a danger if it is another account's, in a permission other than owner and active)"
        case .lookAlikeKey: "an authority contains a key that looks like a key of the vault"
        case .link:
            "an action links a permission to an action (a danger for `transfer`, `issue` and `retire` of any contract, "
                + "and for actions of the system that change authorities or code, or move tokens, stake or RAM)"
        case .wideLink: "an action links a permission to all actions of a contract, or to eosio.any"
        case .unlink: "an action removes a link of a permission"
        case .permissionLimits: "an action limits which permissions can change permissions"
        case .codeChange: "an action replaces or removes the code of an account"
        case .abiChange: "an action replaces the ABI of an account"
        case .privileged: "an action that only the system may run"
        case .otherToken: "a token has the name of a known token, but another contract or precision"
        case .emptyRecipient: "a transfer to the empty name"
        case .lookAlikeAccount: "a recipient's name looks like another account's"
        case .unusedABI: "an ABI was given for an account that the transaction does not use"
        case .systemRecipient: "a transfer to a system account or to the token's contract"
        case .exchange: "a transfer to core.vaulta, which exchanges tokens"
        case .invalidAmount: "an amount is zero or negative"
        case .payerAbsent: "the payer does not authorize the payment"
        case .ramMoved: "an action moves, sells or destroys RAM"
        case .tokensDestroyed: "an action destroys tokens, or donates them without a return"
        case .stakeGiven: "staked tokens will belong to the recipient"
        case .outlier: "one payment is more than all others together"
        case .approvalWithoutHash: "an approval has no proposal_hash"
        case .unseenProposal: "an approval of a proposal that is not given"
        case .unseenExecution: "an action runs a proposal that the signature does not contain"
        case .otherMultisig: "a contract with the interface of eosio.msig that is not eosio.msig"
        case .signedBefore: "the vault signed the same actions before, and both transactions can run"
        case .summaryCut: "the summary does not show each payer, token and kind of change"
        }
    }
}

extension Severity {
    /// The first word of a warning's line.
    var title: String { rawValue.uppercased() }
}

extension Words {
    /// A given ABI that replaces a built-in one.
    static func abiOverride(_ override: ContractABIs.Override) -> String {
        """
        the given ABI of \(override.account.text), SHA-256 \(override.given.text), \
        replaces the \(override.isPinned ? "pinned" : "built-in") one, SHA-256 \(override.replaced.text), \
        and decodes actions differently: the review is only as reliable as the given ABI
        """
    }

    /// An ABI of this review that is not the one that the sender of the transaction used.
    static func senderABI(_ difference: ContractABIs.Difference) -> String {
        let used =
            switch difference.source {
            case .given(let hash): "the given one, SHA-256 \(hash?.text ?? "unknown")"
            case .pinned(let hash): "the pinned one, SHA-256 \(hash.text)"
            case .builtIn, .builtInOlder: "the built-in one"
            }
        return """
            the sender used another ABI of \(difference.account.text), SHA-256 \(difference.stated.text), than this \
            review, which uses \(used): the sender may mean something else; compare the SHA-256 with several nodes, \
            then pin the ABI of the chain with `eosvault abi pin`
            """
    }

    /// Decoded data in the file, next to an action's bytes; without an ABI they can't be compared.
    static func uncheckedData(_ account: Name, _ action: Name) -> String {
        """
        the file also has decoded data of \(account.text)::\(action.text), which is ignored: \
        without an ABI it can't be compared with the bytes that are signed
        """
    }
}
