import Digests

/// Starts the libraries that handle private keys: the digests of libcrypto, its group for P-256,
/// and the context of libsecp256k1.
///
/// A library that starts at its first use makes system calls, allocates and uses the stack. Where a
/// secret is in use by then, parts of it can be left in places that nobody wipes. So a program
/// starts all of them before it reads a secret; `PrivateKey` does it for whoever did not.
package enum CurveLibraries {
    /// Starts them once; any later call does nothing.
    package static func start() { precondition(areStarted, "the libraries of the curves do not start") }

    private static let areStarted: Bool = {
        HashFunction.start()
        // Deriving a public key from a known scalar takes each step that a secret one takes.
        let one = [UInt8](repeating: 0, count: 31) + [1]
        return Curve.allCases.allSatisfy { (try? PrivateKey.startingPublicKey(of: one, on: $0)) != nil }
    }()
}

extension PrivateKey {
    fileprivate static func startingPublicKey(of scalar: [UInt8], on curve: Curve) throws(CurveError) -> PublicKey {
        let span = scalar.span
        guard unsafe curve == .k1 ? K1.isScalar(span.bytes) : R1.isScalar(span.bytes) else {
            throw .scalarOutOfRange(curve)
        }
        return unsafe try curve == .k1 ? K1.publicKey(of: span.bytes) : R1.publicKey(of: span.bytes)
    }
}
