import Policy

/// The warnings that refuse a signature, also one that a person would confirm.
package struct RefusedWarnings: Sendable {
    package static let none = RefusedWarnings([], now: 0)

    private let codes: Set<WarningCode>
    private let now: Int64

    /// - Parameter now: seconds since 1970.
    package init(_ codes: Set<WarningCode>, now: Int64) { (self.codes, self.now) = (codes, now) }

    /// - Throws: `warningRefused`.
    func expectNone(in review: Review, own: OwnKeys?) throws(SigningError) {
        guard !codes.isEmpty else { return }
        let found = Set(review.warnings(now: now, own: own).map(\.code)).intersection(codes)
        guard found.isEmpty else { throw .warningRefused(WarningCode.allCases.filter(found.contains)) }
    }
}
