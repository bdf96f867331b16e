/// The first 40 bits of a share, in which it says how it is joined with others. They are not
/// secret.
struct ShareParameters: Equatable, Sendable {
    /// The bytes of the parameters: the first four words.
    static let count = 5
    static let maximumShares = 16

    /// 15 random bits, the same in all shares of a set.
    var identifier: UInt16
    var isExtendable: Bool
    /// The derivation takes 10,000 * 2^exponent rounds.
    var exponent: Int
    /// Counted from 0.
    var groupIndex = 0
    var groupThreshold = 1
    var groupCount = 1
    /// Counted from 0.
    var memberIndex = 0
    var memberThreshold: Int

    init(identifier: UInt16, isExtendable: Bool, exponent: Int, memberThreshold: Int) {
        self.identifier = identifier & 0x7fff
        self.isExtendable = isExtendable
        self.exponent = exponent
        self.memberThreshold = memberThreshold
    }

    /// - Parameter bytes: `count` bytes.
    init(_ bytes: [UInt8]) {
        precondition(bytes.count == Self.count)
        let nibbles = bytes[2...].flatMap { [Int($0 >> 4), Int($0 & 0xf)] }
        identifier = UInt16(bytes[0]) << 7 | UInt16(bytes[1] >> 1)
        isExtendable = bytes[1] & 1 == 1
        exponent = nibbles[0]
        groupIndex = nibbles[1]
        groupThreshold = nibbles[2] + 1
        groupCount = nibbles[3] + 1
        memberIndex = nibbles[4]
        memberThreshold = nibbles[5] + 1
    }

    var bytes: [UInt8] {
        [
            UInt8(identifier >> 7), UInt8(identifier & 0x7f) << 1 | (isExtendable ? 1 : 0),
            UInt8(exponent << 4 | groupIndex), UInt8((groupThreshold - 1) << 4 | (groupCount - 1)),
            UInt8(memberIndex << 4 | (memberThreshold - 1)),
        ]
    }

    /// The first property in which a share of the same set can't differ; nil if the shares belong
    /// together.
    func difference(from other: ShareParameters) -> ShareProperty? {
        if identifier != other.identifier { return .identifier }
        if isExtendable != other.isExtendable { return .extendable }
        if exponent != other.exponent { return .exponent }
        if groupThreshold != other.groupThreshold { return .groupThreshold }
        if groupCount != other.groupCount { return .groupCount }
        if groupIndex == other.groupIndex, memberThreshold != other.memberThreshold {
            return .memberThreshold
        }
        return nil
    }
}
