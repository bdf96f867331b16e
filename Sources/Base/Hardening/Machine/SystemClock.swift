import CSystem
import Glibc

/// The time of this machine's clock, and how far to trust it.
package struct SystemClock: Equatable, Sendable {
    /// Seconds since 1970.
    package let now: Int64
    /// True if the clock is synchronised (by an NTP client, a GPS receiver); nil where the kernel
    /// does not report it.
    package let isSynchronised: Bool?

    package static func ofThisMachine() -> SystemClock {
        let state = machine_clock_is_synchronised()
        return SystemClock(now: Int64(time(nil)), isSynchronised: state < 0 ? nil : state == 1)
    }

    /// 2026-01-01T00:00:00 UTC: this version is newer than that.
    package static let earliest: Int64 = 1_767_225_600

    /// True if the clock shows a time before this program was written, or one after the last that a
    /// transaction can contain.
    package var isOff: Bool { now < Self.earliest || now > Int64(UInt32.max) }
}

/// The kernel's random number generator.
package enum KernelRandom {
    /// True if the generator has been seeded. Until then, readers that wait for it block.
    package static var isReady: Bool { machine_random_is_ready() == 1 }
}
