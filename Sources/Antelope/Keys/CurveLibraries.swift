import Codecs

/// Starts the libraries that handle private keys: the digests of libcrypto, its P-256 group, and
/// the context of libsecp256k1.
///
/// A library that starts at its first use makes system calls, allocates and uses the stack. If a
/// secret is in use at that time, parts of it can remain in memory that is never wiped. So a
/// program starts all libraries before it reads a secret. `PrivateKey` also starts them, for
/// callers that did not.
public enum CurveLibraries {
    /// Starts the libraries once; later calls do nothing.
    public static func start() { precondition(areStarted, "the libraries of the curves do not start") }

    private static let areStarted: Bool = {
        HashFunction.start()
        // Deriving the public key of a known scalar runs the same steps as for a secret scalar.
        let one = [UInt8](repeating: 0, count: 31) + [1]
        // Signing with R1 also seeds libcrypto's random number generator.
        return Curve.allCases.allSatisfy { (try? PrivateKey.startingPublicKey(of: one, on: $0)) != nil }
            && (try? R1.signStarting(with: one)) != nil
    }()
}

extension PrivateKey {
    fileprivate static func startingPublicKey(of scalar: [UInt8], on curve: Curve) throws(CurveError)
        -> PublicKey
    {
        let span = scalar.span
        guard unsafe curve == .k1 ? K1.isScalar(span.bytes) : R1.isScalar(span.bytes) else {
            throw .scalarOutOfRange(curve)
        }
        return unsafe try curve == .k1 ? K1.publicKey(of: span.bytes) : R1.publicKey(of: span.bytes)
    }
}
