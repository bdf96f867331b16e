import Glibc

enum Stopwatch {
    /// Processor time of this process in seconds.
    static var now: Double {
        var time = timespec()
        unsafe clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    }

    /// The processor time of `step` in seconds.
    static func time(_ step: () throws -> Void) rethrows -> Double {
        let start = now
        try step()
        return now - start
    }
}
