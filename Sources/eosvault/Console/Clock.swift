import ABICodec
import Glibc

/// This machine's clock, which may be wrong on a machine without a network.
enum Clock {
    /// Seconds since 1970.
    static var now: Int64 { Int64(time(nil)) }

    /// `2026-12-01T00:00:00`, UTC; the number itself for times past 2106.
    static func text(_ seconds: Int64) -> String {
        UInt32(exactly: seconds).map { TimePointSec(seconds: $0).text } ?? "\(seconds)"
    }
}
