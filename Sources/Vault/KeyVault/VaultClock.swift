import Glibc

/// The clock that dates records and times delays: this machine's, or a test's.
package struct VaultClock {
    /// Seconds since 1970.
    package let now: () -> Int64
    /// Waits for this number of seconds.
    package let wait: (Int64) -> Void

    package init(now: @escaping () -> Int64, wait: @escaping (Int64) -> Void) {
        self.now = now
        self.wait = wait
    }

    package static var system: VaultClock { VaultClock(now: { Int64(time(nil)) }, wait: Self.sleep) }

    /// Sleeps for the full time, even if signals are handled meanwhile.
    package static func sleep(_ seconds: Int64) {
        var left = UInt32(clamping: seconds)
        while left > 0 { left = Glibc.sleep(left) }
    }
}
