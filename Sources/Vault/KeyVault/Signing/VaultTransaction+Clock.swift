import Policy
import Signing

extension VaultTransaction {
    /// Records that the clock was ahead and is right now. Uses of later times count as made now.
    /// - Throws: `noPolicy`, `secondMethodNeeded`, `damaged(.row(.counters))`.
    package mutating func correctClock(proof: SecondUnlock) throws(VaultError) {
        let now = try now()
        try recordClockCorrected(proof: proof)
        for key in try keysWithUses().sorted() {
            let stored = try policyUses(of: key)
            guard var uses = LimitUses(stored.parts), let times = stored.times else {
                throw .integrity(.damaged(.row(.counters)))
            }
            uses.moveLater(to: UInt32(clamping: now))
            let corrected = PolicyUses.Times(
                last: min(times.last, now), restored: times.restored.map { min($0, now) })
            guard corrected != times || !uses.changed.isEmpty else { continue }
            try store(uses.changedParts, corrected, of: key)
        }
    }
}
