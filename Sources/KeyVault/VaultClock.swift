import Glibc

/// The clock that dates records and times delays: this machine's, or a test's.
public struct VaultClock: Sendable {
    /// Seconds since 1970.
    public let now: @Sendable () -> Int64
    /// Waits for this number of seconds.
    public let wait: @Sendable (Int64) -> Void

    public init(now: @escaping @Sendable () -> Int64, wait: @escaping @Sendable (Int64) -> Void) {
        self.now = now
        self.wait = wait
    }

    public static let system = VaultClock(now: { Int64(time(nil)) }, wait: Self.sleep)

    /// Sleeps for the full time, even if signals are handled meanwhile.
    public static func sleep(_ seconds: Int64) {
        var left = UInt32(clamping: seconds)
        while left > 0 { left = Glibc.sleep(left) }
    }
}
