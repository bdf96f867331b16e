/// What was tried to sign one digest. It bounds the time in which a vault is locked for writing.
package struct SignatureAttempts {
    /// The most signatures that are made for one digest. Every second one is canonical.
    static let limit = 64
    /// How often a session that a token ended is opened again.
    private static let maximumReopenings = 16
    /// All calls for one digest together take at most as long as this many calls.
    private static let calls = 4.0

    private let deadline: Double
    private var seen: Set<[UInt8]> = []
    private var reopenings = 0

    /// - Parameter milliseconds: the time for one call.
    package init(milliseconds: UInt32) {
        deadline = Uptime.seconds + Double(milliseconds) / 1000 * Self.calls
    }

    /// Adds a signature that nodes refuse.
    /// - Throws: `repeatsSignature`, `noCanonicalSignature`, `timedOut`.
    mutating func refuse(_ numbers: [UInt8]) throws(TokenError) {
        guard seen.insert(numbers).inserted else { throw .repeatsSignature }
        guard seen.count < Self.limit else { throw .noCanonicalSignature(limit: Self.limit) }
        guard Uptime.seconds < deadline else { throw .timedOut }
    }

    /// True if the session may be opened again.
    package mutating func mayReopen() -> Bool {
        reopenings += 1
        return reopenings <= Self.maximumReopenings && Uptime.seconds < deadline
    }
}
