import ABICodec
import Glibc
import HTTPSigning
import KeyVault
import Shell

extension Clock {
    /// The time of day in microseconds.
    /// - Throws: `request(timeOutOfRange)`, also before 1970.
    static func request() throws(HTTPSigningError) -> RequestTime {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_REALTIME, &now) == 0, let seconds = UInt64(exactly: now.tv_sec),
            seconds < 1 << 40
        else { throw .request(.timeOutOfRange) }
        return try RequestTime(seconds * 1_000_000 + UInt64(now.tv_nsec) / 1_000, .microseconds)
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
    static func withNotes(hiding hidden: HiddenInput?) -> VaultClock {
        VaultClock(now: { Clock.now }) { seconds in
            Progress.clear()
            Messages.note(Words.waiting(seconds))
            for _ in 0..<seconds {
                for _ in 0..<10 {
                    usleep(100_000)
                    hidden?.deliverSignals()
                }
            }
        }
    }
}
