import Glibc

// Failed unlocks are counted in the file and delay the next one.

extension Vault {
    /// How many seconds the next unlock has to wait because of failed ones. Another process may
    /// fail meanwhile.
    package func unlockDelay() throws(VaultError) -> Int64 {
        let failures = try read { () throws(VaultError) in try FailedUnlocks(in: connection) }
        return failures?.delay(at: clock.now()) ?? 0
    }

    /// Waits for the delay that earlier failed unlocks require, then runs a try, and counts it when
    /// the unlock method is wrong.
    func countingTries<Result>(_ attempt: () throws(VaultError) -> Result) throws(VaultError) -> Result {
        let before = try waitForTurn()
        do {
            let result = try attempt()
            if let before { try? write { () throws(VaultError) in try before.takeBack(in: connection) } }
            return result
        } catch {
            if error.isWrongMethod, before == nil {
                // A wrong PIN is refused as such, even in a vault that can't be written.
                try? write { () throws(VaultError) in
                    try FailedUnlocks.record(at: clock.now(), in: connection)
                }
            }
            throw error
        }
    }

    /// Waits for the delay that earlier failed unlocks require. After a failed unlock, the next one
    /// counts as failed before it is made, so that many simultaneous tries wait one after the
    /// other. If no try has failed, no process waits for another.
    /// - Returns: the state before this try was counted; nil when it was not counted, for example
    ///   in a vault that can't be written.
    private func waitForTurn() throws(VaultError) -> FailedUnlocks? {
        while let failures = try read({ () throws(VaultError) in try FailedUnlocks(in: connection) }) {
            let delay = failures.delay(at: clock.now())
            if delay > 0 { try clock.wait(delay) }
            do {
                let isOurs = try write { () throws(VaultError) in
                    guard try FailedUnlocks(in: connection) == failures else { return false }
                    try FailedUnlocks.record(at: clock.now(), in: connection)
                    return true
                }
                if isOurs { return failures }
            } catch { return nil }
        }
        return nil
    }
}

// MARK: files that are only read, by `restore` and `rescue`

extension Vault {
    /// True if failed unlocks of this file may be counted in it. The file must be regular, have one
    /// name and no journal, and be writable by the user alone; so must its folder. A backup on a
    /// USB stick, or one with mode 400, does not qualify.
    package static func mayCountTries(on path: String) -> Bool { (try? countingLocation(path)) != nil }

    private static func countingLocation(_ path: String) throws(VaultError) -> VaultLocation {
        let location = try VaultLocation(path)
        try location.verifyFolder()
        let identity = try location.verifyFiles()
        // This also applies to root, who could still write to the file.
        guard try VaultLocation.isWritableByOwner(location.path) else { throw .machine(.readOnly) }
        // Any program that opens the file plays a journal back, and `rescue` must read both files
        // unchanged.
        guard try location.linkCount(of: identity) == 1, unsafe access(location.path + "-journal", F_OK) != 0
        else {
            throw .file(.unfinishedChange)
        }
        return location
    }

    /// The file as a vault in which failed unlocks are counted. Nil for a damaged vault, which is
    /// never written to, and when `mayCountTries` is false.
    static func counter(at path: String, clock: VaultClock) -> Vault? {
        guard let location = try? countingLocation(path),
            let vault = try? Vault(location, readOnly: false, busyTimeout: 5_000, clock: clock),
            (try? vault.hasSoundPages()) == true
        else { return nil }
        return vault
    }

    /// Runs a try that is counted in `counter`, if there is one.
    static func countingTries<Result>(
        in counter: Vault?, _ attempt: () throws(VaultError) -> Result
    ) throws(VaultError) -> Result {
        guard let counter else { return try attempt() }
        return try counter.countingTries(attempt)
    }

    /// True if SQLite finds no page damaged, lost or used twice. Only then does a change of one
    /// table leave the others unchanged.
    private func hasSoundPages() throws(VaultError) -> Bool {
        try read { () throws(VaultError) in try connection.passes("quick_check") }
    }
}
