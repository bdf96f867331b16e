import ABICodec
import Keys
import Transactions

/// The warnings about one action: its authorizations, and what its data changes.
struct ActionWarnings {
    /// What all actions of a review are compared with.
    final class Context {
        let tokens: ChainTokens
        let own: OwnKeys?
        /// The accounts that the transaction names.
        let accounts: AccountNames

        init(tokens: ChainTokens, own: OwnKeys?, accounts: AccountNames) {
            (self.tokens, self.own, self.accounts) = (tokens, own, accounts)
        }
    }

    let reviewed: ReviewedAction
    let context: Context

    private var reference: ActionReference { reviewed.reference }

    /// - Parameter payments: The payments of the action.
    func append(paying payments: ArraySlice<ExecutedActions.Paid>, to warnings: inout [Warning]) {
        if reviewed.value == nil { warnings.append(.action(reference, .blind)) }
        appendAuthorizations(to: &warnings)
        guard let value = reviewed.value else { return }
        if reviewed.nullKeyCount > 0 { warnings.append(.action(reference, .nullKey)) }
        appendNesting(value, to: &warnings)
        for (payment, _, _) in payments { append(payment, to: &warnings) }
        for account in reviewed.otherRecipients { appendLookAlike(account, to: &warnings) }
        for change in reviewed.changes { warnings += self.change(change) }
        for change in reviewed.authorityChanges { warnings += authority(change) }
        appendDevelopmentKey(value, to: &warnings)
        if isMisunderstood(value) { warnings.append(.action(reference, .blind)) }
        if SystemContract.has(reviewed.action.account) { warnings += system(value) }
    }

    /// The actions whose effect does not depend on an ABI: nodes and eosio.msig read fixed fields.
    private static let understood: Set<String> = [
        "newaccount", "newaccount2", "updateauth", "deleteauth", "linkauth", "unlinkauth", "setcode", "setabi",
        "setpriv",
    ]

    /// Whether a pinned or overriding ABI has other fields than such an action, so that the data
    /// was decoded but its effect is not known.
    private func isMisunderstood(_ value: TypedValue) -> Bool {
        let action = reviewed.action
        if SystemContract.has(action.account), Self.understood.contains(action.name.text) {
            let setsAuthority = ["newaccount", "newaccount2", "updateauth"].contains(action.name.text)
            return reviewed.changes.isEmpty || (setsAuthority && reviewed.authorityChanges.isEmpty)
        }
        return action.account == .multisig && action.name == .approve && ProposalApproval.find(in: action, value) == nil
    }

    // MARK: - authorizations

    /// More authorizations than this on one action have no honest use.
    private static let authorizationLimit = 16

    private func appendAuthorizations(to warnings: inout [Warning]) {
        let levels = reviewed.action.authorization
        guard !levels.isEmpty else {
            if !reviewed.place.isContextFree { warnings.append(.action(reference, .noAuthorization)) }
            return
        }
        guard levels.count > 1 else { return append(levels[0], to: &warnings) }
        let unique = Set(levels).sorted { $0.text < $1.text }
        if let duplicate = unique.count == levels.count ? nil : Self.firstDuplicate(in: levels) {
            warnings.append(.permission(reference, duplicate, .duplicateAuthorization))
        }
        if levels.count > Self.authorizationLimit {
            warnings.append(.action(reference, .manyAuthorizations(count: levels.count)))
        }
        for level in unique { append(level, to: &warnings) }
    }

    private func append(_ level: PermissionLevel, to warnings: inout [Warning]) {
        if level.permission == .code {
            warnings.append(.permission(reference, level, .codeAuthorization))
        } else if SystemContract.isSystemAccount(level.actor) {
            warnings.append(.permission(reference, level, .systemAuthorization))
        }
        if level.permission == .owner, !changesOwner {
            warnings.append(.permission(reference, level, .ownerUsed))
        }
    }

    private var changesOwner: Bool {
        reviewed.changes.contains { change in
            switch change.kind {
            case .permissionReplaced(let name): name == .owner
            default: false
            }
        }
    }

    private static func firstDuplicate(in levels: [PermissionLevel]) -> PermissionLevel? {
        var seen: Set<PermissionLevel> = []
        return levels.first { !seen.insert($0).inserted }
    }

    // MARK: - tokens

    private func append(_ payment: Payment, to warnings: inout [Warning]) {
        let symbol = payment.quantity.symbol
        if !context.tokens.isKnown(symbol, at: payment.contract), let known = context.tokens.newest(symbol.code) {
            warnings.append(.action(reference, .otherToken(symbol, contract: payment.contract, known: known)))
        }
        if !payment.isAuthorized, !reviewed.action.authorization.isEmpty {
            warnings.append(.action(reference, .payerAbsent(payment.payer)))
        }
        if payment.quantity.amount <= 0 {
            warnings.append(.action(reference, payment.quantity.amount == 0 ? .zeroAmount : .negativeAmount))
        }
        if payment.recipient.rawValue == 0 { warnings.append(.action(reference, .emptyRecipient)) }
        appendLookAlike(payment.recipient, to: &warnings)
        if payment.kind == .retire { warnings.append(.action(reference, .destroysTokens)) }
        guard payment.kind == .transfer else { return }
        if payment.recipient == .coreVaulta, context.tokens.isExchanged(symbol, of: payment.contract) {
            warnings.append(.action(reference, .exchange))
        } else if SystemContract.isSystemAccount(payment.recipient) || payment.recipient == payment.contract {
            warnings.append(.action(reference, .systemRecipient(payment.recipient)))
        }
    }

    private func appendLookAlike(_ account: Name, to warnings: inout [Warning]) {
        guard let imitated = context.accounts.imitated(by: account) else { return }
        warnings.append(.action(reference, .lookAlikeAccount(account, imitated: imitated)))
    }

    // MARK: - permissions

    private func authority(_ change: AuthorityChange) -> [Warning] {
        let (level, authority) = (change.level, change.authority)
        var warnings: [PermissionWarning] = []
        let isControlling = ["owner", "active"].contains(level.permission.text)
        if change.isUnreachable {
            warnings.append(.unreachableThreshold(threshold: authority.threshold, weights: change.totalWeight))
        }
        if !authority.isOrdered { warnings.append(.refusedAuthority) }
        if case .after(let seconds) = change.openReach { warnings.append(.openAfterWait(seconds: seconds)) }
        if !change.isSubaccount {
            for account in authority.accounts {
                let added = change.added(account)
                warnings.append(account.level.permission == .code ? .code(added) : .account(added))
            }
        }
        if let own = context.own {
            warnings += keys(of: change, own)
            if isControlling, let key = change.counted.keyWithoutBackup(of: own) { warnings.append(.notBackedUp(key)) }
        } else if !authority.keys.isEmpty {
            warnings.append(.keysNotCompared)
        }
        let isUsable = change.counted.isReachable && context.own.map { change.counted.needs($0) } ?? true
        if !change.isNewAccount, isControlling, !isUsable {
            warnings.append(.lockout)
        }
        return warnings.map { .permission(reference, level, $0) }
    }

    /// The system contract gets no other keys than those of authorities, of block producers and of
    /// their peers.
    private func appendDevelopmentKey(_ value: TypedValue, to warnings: inout [Warning]) {
        guard SystemContract.has(reviewed.action.account), value.contains(.publicKey(PublicKey.developmentText)) else {
            return
        }
        let accounts = reviewed.authorityChanges.map(\.level.actor) + reviewed.changes.map(\.account)
        warnings.append(.action(reference, .developmentKey(account: accounts.first ?? reviewed.action.account)))
    }

    private func keys(of change: AuthorityChange, _ own: OwnKeys) -> [PermissionWarning] {
        let keys = change.authority.keys
        let foreign = keys.filter { !own.contains($0.text) }
        var warnings: [PermissionWarning] = []
        if !foreign.isEmpty {
            warnings.append(
                .foreignKeys(
                    count: foreign.count, of: keys.count, change.foreignReach(own)))
        }
        for key in foreign {
            guard let imitated = own.imitated(by: key.text) else { continue }
            warnings.append(.lookAlikeKey(key.text, imitated: imitated.publicKey))
        }
        return warnings
    }

    private func change(_ change: AccountChange) -> [Warning] {
        let account = change.account
        func permission(_ name: Name, _ warning: PermissionWarning) -> [Warning] {
            [.permission(reference, PermissionLevel(actor: account, permission: name), warning)]
        }
        switch change.kind {
        case .created, .effect: return []
        case .permissionReplaced(let name):
            let authority = reviewed.authorityChanges.first { $0.level.permission == name }?.counted
            return permission(name, .changed(context.own.flatMap { own in authority.map { OwnShare(of: $0, own) } }))
        case .permissionDeleted(let name): return permission(name, .deleted)
        case .linked(let contract, _, let name) where name.text == "eosio.any":
            return [.action(reference, .linkedToAny(account: account, contract: contract))]
        case .linked(let contract, nil, let name): return permission(name, .linkedToAll(contract: contract))
        case .linked(let contract, let action?, let name):
            return permission(name, .linked(LinkedAction(contract: contract, action: action)))
        case .unlinked: return [.action(reference, .unlinked(account: account))]
        case .codeReplaced, .codeRemoved: return [.action(reference, .codeChange(account: account))]
        case .abiReplaced: return [.action(reference, .abiChange(account: account))]
        case .privilegesChanged: return [.action(reference, .privileged(account: account))]
        }
    }

    // MARK: - the system contracts

    /// The actions of eosio that only the system may run (eosio.system.abi: those that require the
    /// authority of eosio itself).
    private static let privileged: Set<String> = [
        "activate", "cfgpowerup", "delschedule", "denyhashadd", "denyhashrm", "denynames", "undenynames", "init",
        "onblock", "onerror", "rmvproducer", "setacctcpu", "setacctnet", "setacctram", "setalimits", "setglimits",
        "setinflation", "setparams", "setpayfactor", "setprods", "setram", "setramrate", "setrex", "setrexmature",
        "setschedule", "switchtosvnn", "unvest", "updtrevision", "wasmcfg",
    ]

    private func system(_ value: TypedValue) -> [Warning] {
        let name = reviewed.action.name.text
        if Self.privileged.contains(name) {
            return [.action(reference, .privileged(account: reviewed.action.account))]
        }
        switch name {
        case "giftram", "ramtransfer", "ungiftram", "ramburn", "sellram", "buyramburn":
            return [.action(reference, .ramMoved)]
        case "donatetorex": return [.action(reference, .destroysTokens)]
        case "limitauthchg":
            return value["account"]?.name.map { [.action(reference, .permissionLimits(account: $0))] } ?? []
        case "delegatebw":
            guard value["transfer"]?.plain == "true" || value["transfer"]?.plain == "1",
                let recipient = value["receiver"]?.name
            else { return [] }
            return [.action(reference, .stakeGiven(recipient: recipient))]
        default: return []
        }
    }

    // MARK: - proposals

    private func appendNesting(_ value: TypedValue, to warnings: inout [Warning]) {
        let start = warnings.count
        if reviewed.nested != nil { warnings.append(.action(reference, .innerTransaction)) }
        if let approval = ProposalApproval.find(in: reviewed.action, value) {
            if approval.hash == nil {
                warnings.append(.action(reference, .approvalWithoutHash(proposer: approval.proposer)))
            } else if reviewed.nested == nil {
                warnings.append(
                    .action(reference, .unseenProposal(proposer: approval.proposer, name: approval.proposal)))
            }
        }
        if let execution = ProposalExecution.find(in: reviewed.action, value) {
            warnings.append(
                .action(reference, .unseenExecution(proposer: execution.proposer, name: execution.proposal)))
        }
        let account = reviewed.action.account
        if warnings.count > start, account != .multisig, account != .wrap {
            warnings.append(.action(reference, .otherMultisig))
        }
    }
}
