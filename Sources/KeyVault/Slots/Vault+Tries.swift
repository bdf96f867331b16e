import Glibc

// Wrong tries: counted in the file, and the next one waits.

extension Vault {
    /// Runs a try after the wait that failed tries before it ask for, and counts it when it fails
    /// with `wrongWayIn`.
    func countingTries<Result>(_ attempt: () throws(VaultError) -> Result) throws(VaultError) -> Result {
        let before = try waitForTurn()
        do {
            let result = try attempt()
            if let before { try? write { () throws(VaultError) in try before.takeBack(in: connection) } }
            return result
        } catch {
            if case .wrongWayIn = error, before == nil {
                // A vault that can't be written is refused for its wrong PIN all the same.
                try? write { () throws(VaultError) in try FailedUnlocks.record(at: clock.now(), in: connection) }
            }
            throw error
        }
    }

    /// Waits as long as failed tries before ask for. After them a try counts as failed before it is
    /// made, so that many at once wait one after the other; where none has failed, nobody waits for
    /// others.
    /// - Returns: what was there before this try was counted; nil when it was not, as in a vault
    ///   that can't be written.
    private func waitForTurn() throws(VaultError) -> FailedUnlocks? {
        while let failures = try read({ () throws(VaultError) in try FailedUnlocks(in: connection) }) {
            let delay = failures.delay(at: clock.now())
            if delay > 0 { clock.wait(delay) }
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

// MARK: files that are only read: by `restore` and `rescue`

extension Vault {
    /// Whether wrong tries on this file may be counted in it: a regular file that the user alone
    /// may write, in such a folder, with one name and without a journal. A backup on a stick, or
    /// one with mode 400, is none.
    package static func mayCountTries(on path: String) -> Bool { (try? countingLocation(path)) != nil }

    private static func countingLocation(_ path: String) throws(VaultError) -> VaultLocation {
        let location = try VaultLocation(path)
        try location.verifyFolder()
        let identity = try location.verifyFiles()
        // Also for root, who could write it.
        guard try VaultLocation.isWritableByOwner(location.path) else { throw .readOnly }
        // A journal is played back by whoever opens the file, and `rescue` must see both as they
        // are.
        guard try location.linkCount(of: identity) == 1, unsafe access(location.path + "-journal", F_OK) != 0 else {
            throw .unfinishedChange
        }
        return location
    }

    /// The file as a vault in which wrong tries are counted; nil for one that is not sound, which
    /// is never written to, and where `mayCountTries` is false.
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

    /// Whether SQLite finds no page damaged, lost or used twice: only then a change of one table
    /// leaves the others alone.
    private func hasSoundPages() throws(VaultError) -> Bool {
        try read { () throws(VaultError) in
            var isSound = false
            try connection.query("PRAGMA quick_check(1)") { row throws(VaultError) in
                isSound = row.text(0) == "ok"
            }
            return isSound
        }
    }
}
