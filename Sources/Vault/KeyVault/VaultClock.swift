import Glibc

/// The clock that dates records and times delays: this machine's, or a test's.
package struct VaultClock {
    /// Seconds since 1970.
    package let now: () -> Int64
    /// Waits for this number of seconds, or throws.
    package let wait: (Int64) throws(VaultError) -> Void

    package init(
        now: @escaping () -> Int64, wait: @escaping (Int64) throws(VaultError) -> Void
    ) {
        self.now = now
        self.wait = wait
    }

    package static var system: VaultClock { VaultClock(now: { Int64(time(nil)) }, wait: Self.sleep) }

    /// This machine's clock, which does not wait: after failed unlocks, `Vault.unlock` throws
    /// `unlockDelayed` until the next one may be made.
    package static var withoutWaits: VaultClock {
        VaultClock(now: system.now) { seconds throws(VaultError) in
            throw .input(.unlockDelayed(seconds: seconds))
        }
    }

    /// Sleeps for the full time, even if signals are handled meanwhile.
    package static func sleep(_ seconds: Int64) {
        var left = UInt32(clamping: seconds)
        while left > 0 { left = Glibc.sleep(left) }
    }
}
