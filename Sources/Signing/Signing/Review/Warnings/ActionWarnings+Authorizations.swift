import ABICodec
import JSON
import Messages
import Policy
import Transactions

// Warnings about the authorizations of an action.

extension Warning {
    static func noAuthorization(_ action: ActionReference) -> Warning {
        Warning(.noAuthorization, .action(action), text: "the action has no authorization: chains refuse it")
    }

    static func duplicateAuthorization(_ action: ActionReference, _ level: PermissionLevel) -> Warning {
        Warning(
            .duplicateAuthorization, .permission(action, level),
            text: "the action is authorized twice by \(level.text)")
    }

    static func manyAuthorizations(_ action: ActionReference, count: Int) -> Warning {
        Warning(
            .manyAuthorizations, .action(action), [.number(count)],
            text: "the action has \(Amount.text(count)) authorizations")
    }

    static func codeAuthorization(_ action: ActionReference, _ level: PermissionLevel) -> Warning {
        Warning(
            .codeAuthorization, .permission(action, level),
            text: "\(level.text) can only be used by the contract's code (eosio.code), not by a key")
    }

    static func systemAuthorization(_ action: ActionReference, _ level: PermissionLevel) -> Warning {
        Warning(
            .systemAuthorization, .permission(action, level),
            text: "the action is authorized by \(level.text), a system account")
    }

    static func ownerUsed(_ action: ActionReference, _ level: PermissionLevel) -> Warning {
        Warning(
            .ownerUsed, .permission(action, level),
            text: "uses \(level.text): for most actions, the active permission is enough")
    }
}

extension ActionWarnings {
    /// More authorizations than this on one action have no honest use.
    private static let authorizationLimit = 16

    func appendAuthorizations(to warnings: inout [Warning]) {
        let levels = reviewed.action.authorization
        guard !levels.isEmpty else {
            if !reviewed.place.isContextFree { warnings.append(.noAuthorization(reference)) }
            return
        }
        guard levels.count > 1 else { return append(levels[0], to: &warnings) }
        let unique = Set(levels).sorted { $0.text < $1.text }
        if let duplicate = unique.count == levels.count ? nil : Self.firstDuplicate(in: levels) {
            warnings.append(.duplicateAuthorization(reference, duplicate))
        }
        if levels.count > Self.authorizationLimit {
            warnings.append(.manyAuthorizations(reference, count: levels.count))
        }
        for level in unique { append(level, to: &warnings) }
    }

    private func append(_ level: PermissionLevel, to warnings: inout [Warning]) {
        if level.permission == .code {
            warnings.append(.codeAuthorization(reference, level))
        } else if SystemContract.isSystemAccount(level.actor) {
            warnings.append(.systemAuthorization(reference, level))
        }
        if level.permission == .owner, !changesOwner { warnings.append(.ownerUsed(reference, level)) }
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
}
