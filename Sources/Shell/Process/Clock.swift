import Glibc

/// This machine's clock, which may be wrong on a machine without a network.
package enum Clock {
    /// Seconds since 1970.
    package static var now: Int64 { Int64(time(nil)) }

    /// Seconds since the machine was started, sleep included. No change of the time of day affects
    /// it.
    package static var sinceBoot: Double {
        var time = timespec()
        // It fails only for a clock that the kernel does not have; Linux has this one since 2.6.39.
        guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return .infinity }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
