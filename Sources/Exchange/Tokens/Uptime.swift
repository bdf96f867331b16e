import Glibc

/// Time that nobody sets.
package enum Uptime {
    /// From any start.
    package static var seconds: Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}
