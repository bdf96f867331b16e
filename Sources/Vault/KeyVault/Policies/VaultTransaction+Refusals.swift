extension UnlockedVault {
    /// Counts requests that policies refused after the unlock.
    package borrowing func countPolicyRefusals(_ counts: [PolicyRefusals.Kind: Int64]) throws(VaultError) {
        guard !counts.isEmpty else { return }
        try transaction(recordingFailuresFirst: false) {
            (transaction: inout VaultTransaction) throws(VaultError) in
            let now = try transaction.now()
            var refusals =
                try transaction.setting(PolicyRefusals.settingName).map(PolicyRefusals.init)
                ?? PolicyRefusals(count: 0, first: now, last: now)
            refusals.add(counts, at: now)
            try transaction.set(PolicyRefusals.settingName, to: refusals.value)
        }
    }
}

extension VaultTransaction {
    /// Moves the counted refusals to the log.
    mutating func adoptPolicyRefusals() throws(VaultError) {
        // Without a row in the file, the settings are not read: a change of another part of the
        // vault must not need them. A row that was removed is found when they are.
        guard try UnverifiedRows(connection: connection).setting(PolicyRefusals.settingName) != nil,
            let value = try setting(PolicyRefusals.settingName)
        else { return }
        try record(.policyRefusals(try PolicyRefusals(value)))
        try set(PolicyRefusals.settingName, to: nil)
    }
}

extension VaultTransaction {
    /// Records that the clock was ahead and is right now. The last time counts from this record.
    /// - Throws: `noPolicy`; `secondMethodNeeded` unless each second method is proved.
    package mutating func recordClockCorrected(proof: SecondUnlock) throws(VaultError) {
        try expectWritable()
        let policies = try policies()
        guard !policies.isEmpty else { throw .input(.noPolicy) }
        try expectProof(proof, of: policies)
        let now = try now()
        try record(.clockCorrected(last: try lastRecordTime() ?? now))
    }
}
