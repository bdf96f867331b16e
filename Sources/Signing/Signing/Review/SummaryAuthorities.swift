import Transactions

/// The authorities that actions set, for the summary: of the first permissions that change.
package struct SummaryAuthorities: Sendable {
    /// More permissions than a summary has rows.
    private static let maximumCount = 32

    private struct Key: Hashable {
        let level: PermissionLevel
        let execution: Execution
    }

    private var authorities: [Key: [DecodedAuthority]] = [:]

    mutating func add(_ action: ReviewedAction, _ execution: Execution) {
        for change in action.authorityChanges {
            let key = Key(level: change.level, execution: execution)
            guard authorities[key] != nil || authorities.count < Self.maximumCount else { continue }
            let known = authorities[key] ?? []
            guard known.count < Self.maximumCount, !known.contains(change.authority) else { continue }
            authorities[key] = known + [change.authority]
        }
    }

    /// The authorities that a permission gets, in the order of the actions.
    package subscript(_ level: PermissionLevel, _ execution: Execution) -> [DecodedAuthority] {
        authorities[Key(level: level, execution: execution)] ?? []
    }
}
