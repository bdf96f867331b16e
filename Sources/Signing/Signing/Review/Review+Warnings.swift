import ABICodec
import Codecs
import Keys
import Transactions

extension Review {
    /// nodeos accepts a transaction at most this many seconds before its expiration
    /// (`max_transaction_lifetime`).
    package static let maximumLifetime: Int64 = 3600

    /// How many seconds more than `maximumLifetime` give no warning. `cleos -x 3600` counts from
    /// the head block's time, and clocks differ by some seconds, so a transaction that is signed at
    /// once would seem too early. Carrying it to a networked machine takes longer than this
    /// tolerance.
    package static let clockTolerance: Int64 = 60

    /// A transaction that expires sooner than this gives a warning, in seconds: signing and the way
    /// back from a machine without a network take minutes.
    package static let shortWindow: Int64 = 600

    /// For how many seconds a block can be the reference of a transaction: 65,536 blocks of half a
    /// second (AntelopeIO/spring, libraries/chain/include/eosio/chain/block_summary_object.hpp).
    package static let referenceLifetime: Int64 = 32_768

    /// Seconds until the expiration; negative after it.
    /// - Parameter now: Seconds since 1970 by this machine's clock.
    package func remaining(now: Int64) -> Int64 { Int64(transaction.transaction.expiration.seconds) - now }

    /// All warnings, in the order of the actions.
    /// - Parameter own: The keys of the vault; nil if there is none to compare with.
    package func warnings(now: Int64, own: OwnKeys? = nil) -> [Warning] {
        let context = ActionWarnings.Context(tokens: ChainTokens(chain), own: own, accounts: AccountNames(in: executed))
        var warnings = headerWarnings(now: now).map { Warning.transaction($0) } + abiWarnings + signerWarnings(own)
        let payments = executed.payments
        var next = 0
        for (index, action) in executed.actions.enumerated() {
            // The payments are in the order of their actions.
            let first = next
            while next < payments.count, payments[next].action == index { next += 1 }
            ActionWarnings(reviewed: action, context: context).append(paying: payments[first..<next], to: &warnings)
            guard let nested = action.nested else { continue }
            warnings += nested.headerWarnings(now: now).map { .nested(action.reference, $0) }
        }
        return warnings + outliers
    }

    private func headerWarnings(now: Int64) -> [TransactionWarning] {
        var warnings: [TransactionWarning] = []
        let transaction = transaction.transaction
        let remaining = remaining(now: now)
        if isLogin {
            // No chain checks the expiration. A login of version 2 has none.
            if remaining <= 0, transaction.expiration.seconds > 0 { warnings.append(.expired(secondsAgo: -remaining)) }
        } else if remaining <= 0 {
            warnings.append(.expired(secondsAgo: -remaining))
        } else if remaining < Self.shortWindow {
            warnings.append(.shortWindow(expiresInSeconds: remaining))
        } else if remaining > Self.maximumLifetime + Self.referenceLifetime {
            warnings.append(.beyondTAPOS(expiresInSeconds: remaining))
        } else if remaining > Self.maximumLifetime + Self.clockTolerance {
            warnings.append(.tooEarly(pushableInSeconds: remaining - Self.maximumLifetime))
        }
        warnings += transaction.headerWarnings
        if contextFreeActions.count == 1, contextFreeActions[0].isNonce {
            warnings.append(.nonce)
        } else if !contextFreeActions.isEmpty {
            warnings.append(.contextFreeActions)
        }
        if contextFreeActions.isEmpty, !self.transaction.contextFreeData.isEmpty {
            warnings.append(.contextFreeDataWithoutActions)
        }
        return warnings
            + liveVariants(now: now).map {
                .signedBefore(
                    id: Hex.encode($0.transaction), expiration: TimePointSec(seconds: $0.expiration))
            }
    }

    private var abiWarnings: [Warning] {
        var warnings: [Warning] = []
        if let chain, chain.chain == nil { warnings.append(.transaction(.unknownChain)) }
        warnings += overrides.map { .transaction(.abiOverride($0)) }
        warnings += senderDifferences.map { .transaction(.senderABI($0)) }
        let overridden = Set(overrides.map(\.account))
        var seen: Set<Name> = []
        let unchecked = Set(transaction.uncheckedData)
        let hasVaultaSystemContract = chain.map(\.hasVaultaSystemContract) ?? true
        for reviewed in allActions {
            let account = reviewed.action.account
            switch reviewed.content {
            case .blind:
                if reviewed.outer.isEmpty, unchecked.contains(reviewed.place) {
                    warnings.append(.action(reviewed.reference, .uncheckedData))
                }
            case .decoded(.builtIn):
                guard !hasVaultaSystemContract, SystemContract.has(account), seen.insert(account).inserted else {
                    continue
                }
                warnings.append(.transaction(.foreignSystemContract(account: account)))
            case .decoded(.builtInOlder(let date)): warnings.append(.action(reviewed.reference, .olderABI(date: date)))
            case .decoded(.pinned): continue
            case .decoded(.given):
                guard reviewed.isUnpinned, !overridden.contains(account), seen.insert(account).inserted else {
                    continue
                }
                warnings.append(.transaction(.unpinnedABI(account: account)))
            }
        }
        guard !givenAccounts.isEmpty else { return warnings }
        let used = Set(allActions.map(\.action.account))
        return warnings
            + givenAccounts.filter { !used.contains($0) }.map { .transaction(.unusedABI(account: $0)) }
    }

    private func signerWarnings(_ own: OwnKeys?) -> [Warning] {
        var seen: Set<PublicKey> = []
        return signers.enumerated().flatMap { index, signer -> [Warning] in
            switch signer {
            case .key(let key):
                guard seen.insert(key).inserted else { return [.signature(index: index, .duplicateSigner)] }
                return own.map { foreignSigner(key, index, $0) } ?? []
            case .nonCanonical: return [.signature(index: index, .nonCanonical)]
            case .unknown: return [.signature(index: index, .unknownSigner)]
            }
        }
    }

    /// How many signatures are compared with other chains. More signatures of other people's keys
    /// would only cost time.
    private static let otherChainLimit = 8

    private func foreignSigner(_ key: PublicKey, _ index: Int, _ own: OwnKeys) -> [Warning] {
        guard !own.contains(key) else { return [] }
        guard index < Self.otherChainLimit else { return [.signature(index: index, .foreignSigner(key))] }
        let signature = transaction.signatures[index]
        for other in Chain.all {
            guard let id = try? ChainID(other.id), id != chain,
                let found = try? signature.recover(transaction.digest(for: id)), own.contains(found)
            else { continue }
            return [.signature(index: index, .otherChain(found, other))]
        }
        return [.signature(index: index, .foreignSigner(key))]
    }

    /// Payments that are more than all others of the same token and payer together. With two
    /// payments one is always greater, so they are not compared.
    private var outliers: [Warning] {
        struct Group: Hashable {
            let contract, payer: Name
            let symbol: Symbol
            let execution: Execution
        }
        var groups = Collected<Group, (count: Int, sum: Int128, greatest: Payment, action: Int)>()
        for (payment, execution, action) in executed.payments
        where payment.kind == .transfer && payment.quantity.amount > 0 {
            let group = Group(
                contract: payment.contract, payer: payment.payer, symbol: payment.quantity.symbol, execution: execution)
            groups.update(group, (0, 0, payment, action)) { known in
                known.count += 1
                known.sum += Int128(payment.quantity.amount)
                if payment.quantity.amount > known.greatest.quantity.amount {
                    (known.greatest, known.action) = (payment, action)
                }
            }
        }
        return groups.values.compactMap { count, sum, payment, action in
            guard count > 2, 2 * Int128(payment.quantity.amount) > sum else { return nil }
            return .action(
                executed.actions[action].reference, .outlier(payment.quantity, recipient: payment.recipient))
        }
    }
}

extension Transaction {
    /// The warnings about a header, other than those about its times.
    fileprivate var headerWarnings: [TransactionWarning] {
        var warnings: [TransactionWarning] = []
        if actions.isEmpty { warnings.append(.noActions) }
        if delaySec != 0 { warnings.append(.delay(seconds: delaySec)) }
        if !extensions.isEmpty { warnings.append(.extensions(count: extensions.count)) }
        if maxNetUsageWords != 0 || maxCPUUsageMS != 0 {
            warnings.append(.limits(netWords: maxNetUsageWords, cpuMilliseconds: maxCPUUsageMS))
        }
        return warnings
    }
}

extension NestedTransaction {
    /// A contract executes the transaction until its expiration, however far ahead that is, and
    /// does not look at its reference block.
    fileprivate func headerWarnings(now: Int64) -> [TransactionWarning] {
        let header = transaction.transaction
        let remaining = Int64(header.expiration.seconds) - now
        return (remaining <= 0 ? [.expired(secondsAgo: -remaining)] : []) + header.headerWarnings
            + (contextFreeActions.isEmpty ? [] : [.contextFreeActions])
    }
}

extension ReviewedAction {
    /// The nonce that `cleos --force-unique` adds.
    var isNonce: Bool { action.nonce(isContextFree: place.isContextFree) != nil }

    /// Whether the data was decoded by an ABI that was given for this run, for an account without a
    /// built-in ABI. `ContractABIs` compares a given ABI with a built-in or pinned one.
    package var isUnpinned: Bool {
        guard case .decoded(.given) = content else { return false }
        return BuiltInABI.all(for: action.account).isEmpty
    }
}

extension ChainID {
    /// Whether the chain is known to run the system contracts whose ABIs are built in.
    fileprivate var hasVaultaSystemContract: Bool {
        chain.map { ["eos", "jungle4", "kylin"].contains($0.name) } ?? false
    }
}
