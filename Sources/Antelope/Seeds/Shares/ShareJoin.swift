import SecureMemory
import WordLists

/// Joins shares of SLIP-0039 to their secret, one share after another.
package struct ShareJoin: ~Copyable {
    /// The longest accepted text of a share, in bytes.
    package static let maximumTextCount = TypedWords.maximumTextCount

    /// The parameters of each share.
    private var shares: [ShareParameters] = []
    /// The value of each share, in the same order.
    private var values: SharedValues?

    package init() {}

    /// The number of words of each share; nil before the first one.
    package var wordCount: Int? {
        switch values {
        case .some(let values): Share.wordCount(value: values.rowCount)
        case .none: nil
        }
    }

    /// True if a share has this number of words.
    package static func isWordCount(_ count: Int) -> Bool { Share.valueCount(words: count) != nil }

    // MARK: adding

    /// Adds the share of a text: words in upper or lower case, each complete, separated by spaces,
    /// tabs or line endings. A refused share changes nothing.
    /// - Throws: `share`, `memory`.
    package mutating func add(words text: borrowing SecureBytes) throws(SeedError) {
        try add(Share(words: text))
    }

    /// Adds the share of typed words of `WordList.slip39`. A refused share changes nothing.
    /// - Throws: `share`, `memory`.
    package mutating func add(typed: borrowing TypedPhrase) throws(SeedError) {
        try add(Share(typed: typed))
    }

    private mutating func add(_ share: consuming Share) throws(SeedError) {
        let parameters = share.parameters
        for other in shares {
            if let property = parameters.difference(from: other) { throw .share(.foreign(property)) }
        }
        var values: SharedValues
        if let earlier = self.values.take() {
            values = earlier
        } else {
            values = try SharedValues(
                rowCount: share.value.count,
                capacity: ShareParameters.maximumShares * ShareParameters.maximumShares)
        }
        let problem = problem(of: share, among: values)
        if problem == nil {
            values.append(share.value, at: UInt8(parameters.memberIndex))
            shares.append(parameters)
        }
        self.values = consume values
        if let problem { throw .share(problem) }
    }

    private borrowing func problem(of share: borrowing Share, among values: borrowing SharedValues)
        -> ShareProblem?
    {
        guard share.value.count == values.rowCount else { return .foreign(.length) }
        let parameters = share.parameters
        if let index = shares.firstIndex(of: parameters) {
            let difference = values.lendRow(index) { row in
                share.value.withBytes { value in
                    (0..<row.byteCount).reduce(0 as UInt8) { $0 | (row[byte: $1] ^ value[byte: $1]) }
                }
            }
            // Discloses whether a share was added twice.
            return disclosed(difference) == 0 ? .repeated : .sameNumber
        }
        let group = status.groups.first { $0.number == parameters.groupIndex + 1 }
        return status.isComplete || group?.isComplete == true ? .notNeeded : nil
    }

    // MARK: joining

    /// Which shares are still needed.
    package var status: ShareStatus {
        let groups = Set(shares.map(\.groupIndex)).sorted().map { index in
            let members = shares.filter { $0.groupIndex == index }
            return ShareStatus.Group(
                number: index + 1, needed: members.first?.memberThreshold ?? 0, have: members.count)
        }
        return ShareStatus(
            groupsNeeded: shares.first?.groupThreshold ?? 0, groupCount: shares.first?.groupCount ?? 0,
            groups: groups)
    }

    /// The secret of the shares. Another passphrase gives another secret: nothing shows that a
    /// passphrase is wrong.
    /// - Parameter passphrase: nil is the same as an empty one.
    /// - Throws: `share(.tooFew)`, `share(.digest)`, `passphraseNotASCII`, `passphraseTooLong`,
    ///   `memory`.
    package borrowing func secret(passphrase: borrowing SecureBytes?) throws(SeedError) -> SecureBytes {
        let status = status
        guard status.isComplete, let first = shares.first else { throw .share(.tooFew(status)) }
        defer { wipeScratch() }
        let chosen = status.groups.filter(\.isComplete).prefix(status.groupsNeeded)
        let encrypted: SecureBytes
        switch values {
        case .some(let values):
            var groups = try SharedValues(rowCount: values.rowCount, capacity: chosen.count)
            for group in chosen {
                var members = try SharedValues(rowCount: values.rowCount, capacity: group.needed)
                for (index, share) in shares.enumerated() where share.groupIndex == group.number - 1 {
                    values.lendRow(index) { members.append($0, at: UInt8(share.memberIndex)) }
                }
                groups.append(try members.secret(), at: UInt8(group.number - 1))
            }
            encrypted = try groups.secret()
        case .none: throw .share(.tooFew(status))
        }
        return try ShareCipher.decrypt(encrypted, passphrase: passphrase, first)
    }
}
