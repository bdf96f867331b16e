import ABICodec
import JSON

/// The ABI of each contract that is known here: those given for this run, and the built-in ones of
/// the system contracts.
///
/// A given ABI decides what a review shows, so it can't silently replace a built-in one: see `add`.
package struct ContractABIs: Sendable {
    /// Where an ABI came from: a review shows it next to the data that it decoded.
    package enum Source: Equatable, Sendable {
        /// Given for this run; nil for one without a file, which has no hash.
        case given(ABIHash?)
        case builtIn
        /// An older ABI of the contract, for what the newest one built in does not decode.
        case builtInOlder(date: String)
    }

    /// A given ABI that decodes actions differently from the built-in ABI of the same account.
    package struct Override: Equatable, Sendable {
        package let account: Name
        package let given: ABIHash
        package let builtIn: ABIHash
    }

    private struct Given {
        let abi: ABI
        let hash: ABIHash?
        /// The built-in ABI of the account, where actions that only `abi` has are refused.
        var limit: ABI?
    }

    private var given: [Name: Given] = [:]
    /// The given ABIs that replace a built-in one, in the order in which they were added.
    public private(set) var overrides: [Override] = []

    package init() {}

    /// Uses an ABI, in JSON or in its raw form, for the contract at `account`.
    ///
    /// For an account with a built-in ABI it must be one that is recorded for that account, by the
    /// SHA-256 of its raw form, or decode each action of the built-in ABI the same way; actions
    /// that only the given ABI has are then refused (`actionNotBuiltIn`). `overriding` lifts both
    /// rules, and lists the ABI in `overrides` where they would have mattered.
    /// - Returns: What is odd in the ABI and does not keep it from being used.
    /// - Throws: `abiGivenTwice`, `abiOfOtherAccount`, `abiDiffersFromBuiltIn`, `abi`
    @discardableResult
    package mutating func add(
        _ contents: [UInt8], for account: Name, overriding: Bool = false
    ) throws(TransactionError) -> [ABIWarning] {
        guard given[account] == nil else { throw .abiGivenTwice(account: account) }
        let file: ABIFile
        let abi: ABI
        let hash: ABIHash
        do {
            file = try ABIDefinition.read(contents)
            abi = try ABI(file.definition)
            hash = try file.hash()
        } catch { throw .abi(account: account, error) }
        if let stated = file.account, stated != account.text {
            throw .abiOfOtherAccount(account: account, stated: stated)
        }
        given[account] = try admit(abi, hash, for: account, overriding: overriding)
        return abi.warnings
    }

    private mutating func admit(
        _ abi: ABI, _ hash: ABIHash, for account: Name, overriding: Bool
    ) throws(TransactionError) -> Given {
        guard let newest = BuiltInABI.newest(for: account), let builtIn = newest.abi, let builtInHash = newest.hash,
            hash != builtInHash, RecordedABI.find(hash, for: account) == nil
        else { return Given(abi: abi, hash: hash) }
        let difference = builtIn.firstAction(decodedDifferentlyBy: abi)
        guard overriding else {
            guard let difference else { return Given(abi: abi, hash: hash, limit: builtIn) }
            throw .abiDiffersFromBuiltIn(account: account, action: difference, given: hash, builtIn: builtInHash)
        }
        if difference != nil || abi.firstAction(decodedDifferentlyBy: builtIn) != nil {
            overrides.append(Override(account: account, given: hash, builtIn: builtInHash))
        }
        return Given(abi: abi, hash: hash)
    }

    /// Uses a compiled ABI for the contract at `account`, without comparing it with a built-in one.
    ///
    /// For test vectors, which state the ABIs that their values were packed with. What a review
    /// made with it shows is only as reliable as the ABI.
    package mutating func addUnchecked(_ abi: ABI, for account: Name) { given[account] = Given(abi: abi, hash: nil) }

    /// The ABIs of the contract at `account`: the given one, else the built-in ones, from the
    /// newest to the oldest.
    private func abis(for account: Name) -> [(abi: ABI, source: Source)] {
        if let given = given[account] { return [(given.abi, .given(given.hash))] }
        return BuiltInABI.all(for: account).compactMap { builtIn in
            builtIn.abi.map { ($0, builtIn.isOlder ? .builtInOlder(date: builtIn.date) : .builtIn) }
        }
    }

    /// The types that an action's data may have, in the order in which they are tried.
    ///
    /// A later one is tried only where the data does not fit the first: an older ABI never changes
    /// the meaning of bytes that the newest one decodes.
    /// - Returns: At least one.
    /// - Throws: `noABI`, `unknownAction` and `actionNotBuiltIn`, with the path `data`.
    package func types(
        account: Name, action: Name
    ) throws(TransactionError) -> [(type: ABIType, source: Source)] {
        let known = abis(for: account)
        guard !known.isEmpty else { throw .noABI(path: "data", account: account) }
        var types: [(type: ABIType, source: Source)] = []
        for (abi, source) in known {
            do {
                if let type = try abi.actionType(for: action) { types.append((type, source)) }
            } catch { throw .abi(account: account, error) }
        }
        guard !types.isEmpty else { throw .unknownAction(path: "data", account: account, action: action) }
        if let limit = given[account]?.limit, !limit.hasAction(action) {
            throw .actionNotBuiltIn(path: "data", account: account, action: action)
        }
        return types
    }

    /// The type of an action's data, by the newest ABI that has the action.
    /// - Throws: `noABI`, `unknownAction` and `actionNotBuiltIn`, with the path `data`.
    package func type(account: Name, action: Name) throws(TransactionError) -> (type: ABIType, source: Source) {
        guard let first = try types(account: account, action: action).first else {
            throw .unknownAction(path: "data", account: account, action: action)
        }
        return first
    }

    /// Packs action data that is given as JSON.
    /// - Parameters:
    ///   - field: The member that has it, for the path of an error.
    ///   - expected: The bytes that the transaction states; nil for none. They may also be those of
    ///     an older ABI.
    func encode(
        _ data: JSONValue, account: Name, action: Name, field: String, expecting expected: [UInt8]?
    ) throws(TransactionError) -> [UInt8] {
        let types: [ABIType]
        do { types = try self.types(account: account, action: action).map(\.type) } catch { throw error.at(field) }
        var writer = JSONWriter()
        writer.write(data)
        var first: TransactionError?
        for type in types {
            do throws(ABIError) {
                let bytes = try type.encode(json: writer.bytes)
                if expected == nil || expected == bytes { return bytes }
                first = first ?? .dataDisagrees(path: field)
            } catch { first = first ?? .value(error.inside(.field(field))) }
            // Without bytes to compare with, the newest ABI decides.
            if expected == nil { break }
        }
        throw first ?? .noABI(path: field, account: account)
    }
}

extension TransactionError {
    /// The same error at another member of the action.
    fileprivate func at(_ field: String) -> TransactionError {
        switch self {
        case .noABI(_, let account): .noABI(path: field, account: account)
        case .unknownAction(_, let account, let action): .unknownAction(path: field, account: account, action: action)
        case .actionNotBuiltIn(_, let account, let action):
            .actionNotBuiltIn(path: field, account: account, action: action)
        default: self
        }
    }
}
