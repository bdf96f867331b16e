import Messages

/// Which shares a set still needs.
package struct ShareStatus: Equatable, Sendable {
    /// A group of which a share was added.
    package struct Group: Equatable, Sendable {
        /// Counted from 1.
        package let number: Int
        /// The shares that are needed and that were added.
        package let needed: Int
        package let have: Int

        package var isComplete: Bool { have >= needed }
    }

    /// The number of groups that must be complete; 0 before the first share.
    package let groupsNeeded: Int
    /// The number of groups of the set; 0 before the first share.
    package let groupCount: Int
    /// In the order of their numbers.
    package let groups: [Group]

    package var completeGroups: Int { groups.count(where: \.isComplete) }

    /// True if the shares give the secret.
    package var isComplete: Bool { groupsNeeded > 0 && completeGroups >= groupsNeeded }

    /// What is missing, for a message.
    package var missingText: String {
        guard groupsNeeded > 0 else { return "no share was given" }
        let open = groups.filter { !$0.isComplete }
        let parts = open.map { group in
            let place = groupCount > 1 ? " of group \(group.number)" : ""
            return "\(group.have) of \(Words.count(group.needed, "share"))\(place)"
        }
        let groups =
            groupCount > 1 ? ["\(completeGroups) of \(Words.count(groupsNeeded, "group")) complete"] : []
        return "too few shares: " + (parts + groups).joined(separator: ", ")
    }
}
