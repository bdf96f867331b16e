import CProbe
import Glibc
import SecureMemory
import Testing

@testable import Keys

/// After `CurveLibraries.start`, no library initialises itself at its first use. Starting libcrypto
/// calls futex(2) through pthread_once. Starting the libsecp256k1 context calls getrandom(2) for
/// its blinding.
struct CurveLibrariesTests {
    @Test func nothingStartsLater() async {
        await #expect(processExitsWith: .success) {
            CurveLibraries.start()
            try Self.forbidStarting()
            try Self.use(.k1)
            try Self.use(.r1)
            _exit(0)
        }
    }

    /// Checks the method: a start is detected.
    @Test func startIsDetected() async {
        await #expect(processExitsWith: .signal(SIGSYS)) {
            _ = try SecureBytes(count: 1)
            try Self.forbidStarting()
            try Self.use(.k1)
            _exit(0)
        }
        await #expect(processExitsWith: .signal(SIGSYS)) {
            _ = try SecureBytes(count: 1)
            try Self.forbidStarting()
            try Self.use(.r1)
            _exit(0)
        }
    }

    private static func forbidStarting() throws {
        // Guarded allocation starts libsodium.
        _ = try SecureBytes(count: 1)
        try #require(probe_forbid([Int32(PROBE_CALL_FUTEX), Int32(PROBE_CALL_GETRANDOM)], 2) == 0)
    }

    private static func use(_ curve: Curve) throws {
        let scalar = try SecureBytes(copyingPublic: [UInt8](repeating: 7, count: 32))
        let key = try PrivateKey(curve: curve, scalar: scalar)
        _ = try key.sign(SigningDigest([UInt8](repeating: 1, count: 32)))
    }
}
