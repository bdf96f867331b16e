import ABICodec
import Glibc
import HTTPSigning
import KeyVault

/// This machine's clock, which may be wrong on a machine without a network.
enum Clock {
    /// Seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }

    /// The time of day in microseconds.
    /// - Throws: `request(timeOutOfRange)`, also before 1970.
    static func request() throws(HTTPSigningError) -> RequestTime {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0, let seconds = UInt64(exactly: now.tv_sec),
            seconds < 1 << 40
        else { throw .request(.timeOutOfRange) }
        return try RequestTime(seconds * 1_000_000 + UInt64(now.tv_nsec) / 1_000, .microseconds)
    }

    /// Seconds since the machine was started, sleep included. No change of the time of day affects
    /// it.
    static var sinceBoot: Double {
        var time = timespec()
        // It fails only for a clock that the kernel does not have; Linux has this one since 2.6.39.
        guard unsafe clock_gettime(CLOCK_BOOTTIME, &time) == 0 else { return .infinity }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// UTC, such as `2026-12-01T00:00:00`; a time after 2106 as a number of seconds.
    static func text(_ seconds: Int64) -> String {
        UInt32(exactly: seconds).map { TimePointSec(seconds: $0).text } ?? "\(seconds)"
    }

    /// The same with `Z` for UTC, as RFC 3339 defines it.
    static func rfc3339(_ seconds: Int64) -> String {
        UInt32(exactly: seconds).map { TimePointSec(seconds: $0).text + "Z" } ?? "\(seconds)"
    }
}

extension VaultClock {
    /// This machine's clock. A note announces each wait. A signal ends or stops the program
    /// during a wait, even if input is hidden.
    static let withNotes = VaultClock(
        now: { Clock.now },
        wait: { seconds in
            Progress.clear()
            Messages.note(Words.waiting(seconds))
            for _ in 0..<seconds {
                for _ in 0..<10 {
                    usleep(100_000)
                    HiddenInput.deliverSignals()
                }
            }
        })
}
