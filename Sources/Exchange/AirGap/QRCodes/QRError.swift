/// Why data or an option is refused.
package enum QRError: Error, Equatable, Sendable {
    /// There is no data. Readers do not report an empty symbol.
    case noData
    /// No symbol holds so many bytes, whatever they are.
    case tooManyBytes(count: Int, limit: Int)
    /// The data needs more bits than the largest allowed version has.
    case tooLong(bits: Int, limit: Int, version: QRVersion, level: QRLevel)
    /// The mode does not have the byte at this offset.
    case notInMode(QRMode, offset: Int)
    /// Versions are 1 to 40.
    case versionOutOfRange(Int)
    /// Masks are 0 to 7.
    case maskOutOfRange(Int)
    /// A module is 1 to `limit` pixels wide.
    case scaleOutOfRange(Int, limit: Int)
    /// The codes of an animation have one version.
    case otherVersion(QRVersion, first: QRVersion)
}
