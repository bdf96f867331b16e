import ABICodec
import Codecs
import Keys
import Transactions

/// Decides as nodeos does whether keys satisfy a permission (AntelopeIO/leap,
/// libraries/chain/include/eosio/chain/authority_checker.hpp).
package struct AuthorityChecker {
    /// The result for one permission, or for a part of an authority.
    package enum Status: Equatable, Sendable {
        case met, notMet
        /// The account has no such permission.
        case noSuchPermission
        /// The permissions of the account were not given.
        case unknown
    }

    /// How many permissions may refer to each other: `max_authority_depth` of nodeos.
    static let maximumDepth = 6

    /// The keys that were needed for the permissions that were met.
    package private(set) var usedKeys: Set<PublicKey> = []
    private let keys: Set<PublicKey>
    private let approved: Set<PermissionLevel>
    private let delay: UInt32
    private let accounts: [String: AccountPermissions]
    /// False if only the result counts, not the keys that nodeos uses for it.
    private let comparesUsedKeys: Bool
    /// True if a permission was met although an earlier part of it is unknown: nodeos may then use
    /// other keys.
    private var isUncertain = false

    /// - Parameters:
    ///   - keys: the keys that signed.
    ///   - approved: permissions that are met without a key, because they approved a proposal.
    ///   - delay: the transaction's delay in seconds, which satisfies waits.
    ///   - accounts: the known permissions. The last one of an account counts.
    ///   - comparesUsedKeys: True if nodeos refuses keys that it does not need. Then a permission
    ///     that is met is unknown if an unknown part may replace a key.
    package init(
        keys: Set<PublicKey>, approved: Set<PermissionLevel> = [], delay: UInt32,
        accounts: [AccountPermissions], comparesUsedKeys: Bool = true
    ) {
        self.comparesUsedKeys = comparesUsedKeys
        (self.keys, self.approved) = (keys, approved)
        self.delay = delay
        self.accounts = Dictionary(accounts.map { ($0.account, $0) }) { $1 }
    }

    /// Checks a permission and lists its parts.
    package mutating func check(_ level: PermissionLevel) throws(UnreadableAuthority) -> CheckedPermission {
        let met = Dictionary(approved.map { ($0, Status.met) }) { first, _ in first }
        var known = met
        isUncertain = false
        var status = try status(of: level, depth: 0, &known)
        if status == .met, isUncertain, comparesUsedKeys { status = .unknown }
        guard let authority = try authority(of: level) else {
            return CheckedPermission(
                level: level, status: status, isApproved: approved.contains(level), threshold: 0, parts: [])
        }
        let used = usedKeys
        defer { usedKeys = used }
        known = met
        known[level] = .notMet
        var parts: [CheckedPermission.Part] = []
        for part in authority.parts {
            let status = try self.status(of: part.kind, depth: 1, &known)
            parts.append(CheckedPermission.Part(kind: part.kind, weight: part.weight, status: status))
        }
        return CheckedPermission(
            level: level, status: status, isApproved: approved.contains(level),
            threshold: authority.threshold, parts: parts)
    }

    /// nil if the account is not known, or does not have the permission.
    private func authority(of level: PermissionLevel) throws(UnreadableAuthority) -> Authority? {
        let account = level.actor.text
        return try converting(
            { UnreadableAuthority(account: account, error: $0) },
            accounts[account]?.find(level.permission)?.authority)
    }

    /// - Parameter known: the permissions that were checked, or are being checked: one that refers
    ///   to itself is not met by this.
    private mutating func status(
        of level: PermissionLevel, depth: Int, _ known: inout [PermissionLevel: Status]
    ) throws(UnreadableAuthority) -> Status {
        if let status = known[level] { return status }
        guard depth < Self.maximumDepth else { return .notMet }
        // `eosio.code` is the permission of a contract, and no account has an authority for it.
        guard accounts[level.actor.text] != nil else {
            return level.permission == .code ? .notMet : .unknown
        }
        guard let authority = try authority(of: level) else { return .noSuchPermission }
        known[level] = .notMet
        let status = try status(of: authority, depth: depth + 1, &known)
        known[level] = status
        return status
    }

    /// Adds the weights from the highest to the lowest, until they reach the threshold. With equal
    /// weights, waits come before keys, and keys before accounts.
    private mutating func status(
        of authority: Authority, depth: Int, _ known: inout [PermissionLevel: Status]
    ) throws(UnreadableAuthority) -> Status {
        let before = usedKeys
        var sum: UInt32 = 0
        var hasUnknownPart = false
        let parts = authority.parts.enumerated().sorted { one, next in
            (next.element.weight, one.offset) < (one.element.weight, next.offset)
        }
        for part in parts.map(\.element) {
            let status = try status(of: part.kind, depth: depth, &known)
            if case .key(let key) = part.kind, status == .met { usedKeys.insert(key) }
            if status == .unknown { hasUnknownPart = true }
            if status == .met { sum += UInt32(part.weight) }
            guard sum >= authority.threshold else { continue }
            if hasUnknownPart { isUncertain = true }
            return .met
        }
        // Keys are not needed for a permission that is not met.
        usedKeys = before
        return hasUnknownPart ? .unknown : .notMet
    }

    private mutating func status(
        of part: Authority.Part, depth: Int, _ known: inout [PermissionLevel: Status]
    ) throws(UnreadableAuthority) -> Status {
        switch part {
        case .key(let key): keys.contains(key) ? .met : .notMet
        case .nullKey: .notMet
        case .account(let level): try status(of: level, depth: depth, &known)
        case .wait(let seconds): delay >= seconds ? .met : .notMet
        }
    }
}

/// An authority that a node reported, and that can't be read.
package struct UnreadableAuthority: Error, Equatable {
    /// The account in whose permissions it is.
    package let account: String
    package let error: BuildError
}

extension Authority {
    /// One of the parts that have a weight.
    package enum Part: Sendable {
        case key(PublicKey)
        /// The all-zero public key, with which no one signs.
        case nullKey
        case account(PermissionLevel)
        case wait(seconds: UInt32)
    }

    /// The waits, the keys and the accounts.
    fileprivate var parts: [(kind: Part, weight: UInt16)] {
        waits.map { (.wait(seconds: $0.seconds), $0.weight) } + keys.map { (.key($0.key), $0.weight) }
            + (nullKeyWeight.map { [(.nullKey, $0)] } ?? [])
            + accounts.map { (.account($0.level), $0.weight) }
    }
}
