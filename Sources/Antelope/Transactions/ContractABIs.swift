import ABICodec
import Synchronization

/// The ABI of each known contract: the ABIs given for this run, the ABIs that the vault pins for
/// the chain, and the built-in ABIs of the system contracts. A pinned ABI replaces a built-in one.
///
/// A given ABI determines what a review shows, so it can't silently replace a pinned or built-in
/// one: see `add`.
package struct ContractABIs: Sendable {
    /// The origin of an ABI. A review shows it next to the data that the ABI decoded.
    package enum Source: Equatable, Sendable {
        /// Given for this run; nil for an ABI without a file, which has no hash.
        case given(ABIHash?)
        /// Pinned in the vault for this chain.
        case pinned(ABIHash)
        case builtIn
        /// An older built-in ABI of the contract, used for data that the newest built-in ABI does
        /// not decode.
        case builtInOlder(date: String)

        /// The hash of a given or pinned ABI.
        package var hash: ABIHash? {
            switch self {
            case .given(let hash): hash
            case .pinned(let hash): hash
            case .builtIn, .builtInOlder: nil
            }
        }
    }

    /// A given ABI that decodes actions differently from the pinned or built-in ABI of the same
    /// account.
    package struct Override: Equatable, Sendable {
        package let account: Name
        package let given: ABIHash
        /// The ABI that is not used.
        package let replaced: ABIHash
        /// True if that ABI is pinned, not built in.
        package let isPinned: Bool
    }

    /// A node in a list of the first actions whose types were looked up. Threads append without a
    /// lock, which would call `syscall`.
    private final class FoundTypes: Sendable {
        let account, action: Name
        let types: [(type: ABIType, source: Source)]
        let next = AtomicLazyReference<FoundTypes>()

        /// Few batches have more kinds of actions. Further ones are looked up each time.
        static let maxCount = 16

        init(_ account: Name, _ action: Name, _ types: [(type: ABIType, source: Source)]) {
            (self.account, self.action, self.types) = (account, action, types)
        }

        /// The head of a list, which is not an action.
        convenience init() { self.init(Name(rawValue: 0), Name(rawValue: 0), []) }
    }

    private struct Given {
        let abi: ABI
        let source: Source
        /// The account's built-in ABI, if actions that only `abi` has are refused.
        var limit: ABI?
    }

    private var given: [Name: Given] = [:] { didSet { found = FoundTypes() } }
    /// Results of `types`.
    private var found = FoundTypes()
    private let pinned: [Name: PinnedContractABI]
    /// The pinned ABIs of the chain, as the vault listed them. The vault is compared with them
    /// before it signs.
    package let pins: [PinnedContractABI]
    /// The given ABIs that replace a pinned or built-in one, in the order in which they were added.
    package private(set) var overrides: [Override] = []

    /// The accounts of the given ABIs, sorted by their text.
    package var givenAccounts: [Name] { given.keys.sorted { $0.text < $1.text } }

    /// - Parameter pins: the ABIs that the vault pins for the transaction's chain, at most one for
    ///   each account.
    package init(pins: [PinnedContractABI] = []) {
        self.pins = pins
        pinned = Dictionary(pins.map { ($0.account, $0) }) { first, _ in first }
    }

    /// Uses an ABI, in JSON or in its raw form, for the contract at `account`.
    ///
    /// If the account has a pinned ABI, or otherwise a built-in one, the given ABI must satisfy one
    /// of two conditions. Either the SHA-256 of its raw form equals the pinned ABI's, or is
    /// recorded for the built-in one. Or it is JSON, whose hash proves little, and decodes each
    /// action of the other ABI the same way; then actions that only the given ABI has are refused
    /// (for a built-in ABI by `actionNotBuiltIn`). `overriding` disables both rules, and adds the
    /// ABI to `overrides` if they would have had an effect.
    /// - Returns: Oddities of the ABI that do not prevent its use.
    /// - Throws: `abiGivenTwice`, `abiOfOtherAccount`, `abiDiffersFromPinned`,
    ///   `abiDiffersFromBuiltIn`, `abiNotRecorded`, `abi`
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
        if let pin = pinned[account] {
            given[account] = try admit(abi, hash, isRaw: file.isRaw, against: pin, overriding: overriding)
        } else {
            given[account] = try admit(abi, hash, isRaw: file.isRaw, for: account, overriding: overriding)
        }
        return abi.warnings
    }

    private mutating func admit(
        _ abi: ABI, _ hash: ABIHash, isRaw: Bool, against pin: PinnedContractABI, overriding: Bool
    ) throws(TransactionError) -> Given {
        let pinned = try pin.compile()
        // JSON that agrees with the pinned ABI adds nothing to it.
        let own = Given(abi: pinned.abi, source: .pinned(pinned.hash))
        if hash == pinned.hash { return own }
        let decodesAlike = pinned.abi.firstAction(decodedDifferentlyBy: abi) == nil
        guard overriding else {
            guard !isRaw, decodesAlike else {
                throw .abiDiffersFromPinned(account: pin.account, given: hash, pinned: pinned.hash)
            }
            return own
        }
        if !decodesAlike || abi.firstAction(decodedDifferentlyBy: pinned.abi) != nil {
            overrides.append(
                Override(account: pin.account, given: hash, replaced: pinned.hash, isPinned: true))
        }
        return Given(abi: abi, source: .given(hash))
    }

    private mutating func admit(
        _ abi: ABI, _ hash: ABIHash, isRaw: Bool, for account: Name, overriding: Bool
    ) throws(TransactionError) -> Given {
        guard let newest = BuiltInABI.newest(for: account), let builtIn = newest.abi,
            let builtInHash = newest.hash,
            hash != builtInHash, RecordedABI.find(hash, for: account) == nil
        else { return Given(abi: abi, source: .given(hash)) }
        let difference = builtIn.firstAction(decodedDifferentlyBy: abi)
        guard overriding else {
            if let difference {
                throw .abiDiffersFromBuiltIn(
                    account: account, action: difference, given: hash, builtIn: builtInHash)
            }
            guard !isRaw else { throw .abiNotRecorded(account: account, given: hash) }
            return Given(abi: abi, source: .given(hash), limit: builtIn)
        }
        if difference != nil || abi.firstAction(decodedDifferentlyBy: builtIn) != nil {
            overrides.append(Override(account: account, given: hash, replaced: builtInHash, isPinned: false))
        }
        return Given(abi: abi, source: .given(hash))
    }

    /// Uses a compiled ABI for the contract at `account`, without comparing it with a built-in one.
    ///
    /// For test vectors, which include the ABIs that packed their values. A review made with it is
    /// only as reliable as the ABI.
    package mutating func addUnchecked(_ abi: ABI, for account: Name) {
        given[account] = Given(abi: abi, source: .given(nil))
    }

    /// Uses an ABI that is part of the program for `account`, whatever was given for it.
    ///
    /// For an action that no contract has, and that a signing request defines.
    package mutating func addBuiltIn(_ abi: ABI, for account: Name) {
        given[account] = Given(abi: abi, source: .builtIn)
    }

    /// The ABI that the chain should have for an account: the pinned one, otherwise the given one,
    /// otherwise the newest built-in one; nil if none is known. Only a pinned ABI has its tables.
    package func known(for account: Name) -> (abi: ABI, tables: [Name]?)? {
        if let pin = pinned[account], let compiled = try? pin.compile() {
            return (compiled.abi, (try? ABIDefinition(raw: pin.raw))?.tableNames)
        }
        return (given[account]?.abi ?? BuiltInABI.newest(for: account)?.abi).map { ($0, nil) }
    }

    /// An ABI that differs from the one that the sender of a transaction used for the same account.
    package struct Difference: Equatable, Sendable {
        package let account: Name
        package let stated: ABIHash
        /// The origin of the ABI that is used here.
        package let source: Source
    }

    /// Compares an ABI that a sender used with the one that is used here.
    /// - Returns: nil for the same ABI, for one that is recorded for a built-in one, and for an
    ///   account without an ABI.
    package func difference(of stated: ABIHash, for account: Name) -> Difference? {
        guard let source = try? abis(for: account).first?.source else { return nil }
        let isSame =
            switch source {
            case .given(let hash): hash == nil || hash == stated
            case .pinned(let hash): hash == stated
            case .builtIn, .builtInOlder:
                BuiltInABI.newest(for: account)?.hash == stated
                    || RecordedABI.find(stated, for: account) != nil
            }
        return isSame ? nil : Difference(account: account, stated: stated, source: source)
    }

    /// The ABIs of the contract at `account`: the given one, otherwise the pinned one, otherwise
    /// the built-in ones, newest first.
    private func abis(for account: Name) throws(TransactionError) -> [(abi: ABI, source: Source)] {
        if let given = given[account] { return [(given.abi, given.source)] }
        if let pin = pinned[account] {
            let compiled = try pin.compile()
            return [(compiled.abi, .pinned(compiled.hash))]
        }
        return BuiltInABI.all(for: account).compactMap { builtIn in
            builtIn.abi.map { ($0, builtIn.isOlder ? .builtInOlder(date: builtIn.date) : .builtIn) }
        }
    }

    /// The types that an action's data may have, in the order in which they are tried.
    ///
    /// A later one is tried only if the data does not fit the earlier ones. So an older ABI never
    /// changes the meaning of bytes that the newest one decodes.
    /// - Returns: At least one type.
    /// - Throws: `noABI`, `unknownAction` and `actionNotBuiltIn`, with the path `data`; `abi` for a
    ///   type that must not decode an action (`ABIType.actionFlaw`).
    package func types(
        account: Name, action: Name
    ) throws(TransactionError) -> [(type: ABIType, source: Source)] {
        var last = found
        for _ in 0..<FoundTypes.maxCount {
            guard let next = last.next.load() else {
                let types = try findTypes(account: account, action: action)
                // If another thread has appended an action meanwhile, this one is dropped.
                _ = last.next.storeIfNil(FoundTypes(account, action, types))
                return types
            }
            if next.account == account, next.action == action { return next.types }
            last = next
        }
        return try findTypes(account: account, action: action)
    }

    private func findTypes(
        account: Name, action: Name
    ) throws(TransactionError) -> [(type: ABIType, source: Source)] {
        let known = try abis(for: account)
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
        // The types of test vectors are not checked.
        for (type, source) in types where source != .given(nil) {
            if let flaw = type.actionFlaw { throw .abi(account: account, flaw) }
        }
        return types
    }

    /// The type of an action's data, by the newest ABI that has the action.
    /// - Throws: `noABI`, `unknownAction` and `actionNotBuiltIn`, with the path `data`.
    package func type(account: Name, action: Name) throws(TransactionError) -> (type: ABIType, source: Source)
    {
        guard let first = try types(account: account, action: action).first else {
            throw .unknownAction(path: "data", account: account, action: action)
        }
        return first
    }

    /// Packs action data that is given as JSON.
    /// - Parameters:
    ///   - data: Its text.
    ///   - field: The member that contains the data, for the path of an error.
    ///   - expected: The bytes in the transaction; nil for none. They may also come from an older
    ///     ABI.
    func encode(
        _ data: [UInt8], account: Name, action: Name, field: String, expecting expected: [UInt8]?
    ) throws(TransactionError) -> [UInt8] {
        let types: [ABIType]
        do { types = try self.types(account: account, action: action).map(\.type) } catch {
            throw error.at { _ in field }
        }
        var first: TransactionError?
        for type in types {
            do throws(ABIError) {
                let bytes = try type.encode(json: data)
                if expected == nil || expected == bytes { return bytes }
                first = first ?? .dataDisagrees(path: field)
            } catch { first = first ?? .value(error.inside(.field(field))) }
            // Without bytes to compare with, only the newest ABI is used.
            if expected == nil { break }
        }
        throw first ?? .noABI(path: field, account: account)
    }
}
