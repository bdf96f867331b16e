import CDeeds
import Glibc
import Testing

/// The filter as a program, run here over every call that there is.
struct FilterTests {
    private static let allow: UInt32 = 0x7fff_0000
    private static let kill: UInt32 = 0x8000_0000
    private static let error: UInt32 = 0x0005_0000

    /// With arguments of all ones none that is looked at is let through.
    @Test func eachCallIsAllowedOrRefused() {
        var count = 0
        for call in 0...469 {
            let isLetThrough = deed_is_let_through(Int32(call)) == 1
            if isLetThrough { count += 1 }
            let expected = isLetThrough ? Self.allow : Self.error | UInt32(EPERM)
            #expect(deed_verdict(UInt32(call), .max, 0) == expected, "call \(call)")
        }
        #expect(count > 40)
    }

    @Test(arguments: [470, 1_000, 0x3fff_ffff, 0x4000_0000, 0x4000_0027, 0xffff_ffff] as [UInt32])
    func aCallThatIsNewerIsUnknown(_ call: UInt32) {
        #expect(deed_verdict(call, 0, 0) == Self.error | UInt32(ENOSYS))
    }

    @Test func anotherTableOfCallsKills() {
        for call in 0...500 { #expect(deed_verdict(UInt32(call), 0, 1) == Self.kill) }
    }
}
