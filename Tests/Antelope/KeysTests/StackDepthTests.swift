import TestSupport
import Testing

@testable import Keys
@testable import SecureMemory

/// `wipeScratch` overwrites at least twice the stack depth of the calls that handle a scalar.
struct StackDepthTests {
    static let scalar = [UInt8](repeating: 7, count: 32)

    @Test(arguments: Curve.allCases)
    func deriving(curve: Curve) throws {
        let scalar = try SecureBytes(copyingPublic: Self.scalar)
        let depth = stackDepth {
            scalar.withBytes { span in _ = try? curve == .k1 ? K1.publicKey(of: span) : R1.publicKey(of: span)
            }
        }
        #expect((1_000..<scratchCount / 2).contains(depth))
    }

    @Test func signing() throws {
        let scalar = try SecureBytes(copyingPublic: Self.scalar)
        for byte in UInt8(0)..<16 {
            let digest = try SigningDigest([UInt8](repeating: byte, count: 32))
            let depth = stackDepth { scalar.withBytes { span in _ = try? K1.sign(digest, scalar: span) } }
            #expect((1_000..<scratchCount / 2).contains(depth))
        }
    }
}
