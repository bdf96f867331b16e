import CShim
import Glibc

/// What this machine's clock may be trusted in.
package struct SystemClock: Equatable, Sendable {
    /// Seconds since 1970.
    package let now: Int64
    /// Whether something keeps it right (an NTP client, a GPS receiver); nil where the kernel does
    /// not say.
    package let isSynchronised: Bool?

    package init(now: Int64, isSynchronised: Bool?) {
        self.now = now
        self.isSynchronised = isSynchronised
    }

    package static func ofThisMachine() -> SystemClock {
        let state = machine_clock_is_synchronised()
        return SystemClock(now: Int64(time(nil)), isSynchronised: state < 0 ? nil : state == 1)
    }

    /// 2026-01-01T00:00:00 UTC: this version was written after that.
    package static let earliest: Int64 = 1_767_225_600

    /// Whether it shows a time before this program was written, or one that transactions have no
    /// form for.
    package var isOff: Bool { now < Self.earliest || now > Int64(UInt32.max) }
}

/// What this process inherited from the one that started it.
package enum ThisProcess {
    /// Whether it was started without random addresses; nil where the kernel does not say.
    package static var hasFixedAddresses: Bool? {
        let state = machine_addresses_are_fixed()
        return state < 0 ? nil : state == 1
    }
}

/// The kernel's random number generator.
package enum KernelRandom {
    /// Whether it has been seeded; what waits for it waits until then.
    package static var isReady: Bool { machine_random_is_ready() == 1 }
}
