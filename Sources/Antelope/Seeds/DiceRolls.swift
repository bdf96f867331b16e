import Codecs
import SecureMemory

/// Rolls of a die with six sides, typed by a person who does not want to trust the system's random
/// number generator alone (`SeedPhrase.random(mixing:)`).
package struct DiceRolls: ~Copyable {
    /// Rolls that a phrase needs: 50 have 129 bits.
    package static let needed = 50
    package static let limit = 1_000

    /// ASCII digits.
    private var digits: SecureBytes
    /// The number of rolls so far.
    package private(set) var count = 0

    package init() throws(SeedError) { digits = try guarded(Self.limit) }

    /// Adds the rolls of a line: digits from 1 to 6, with or without spaces. Of a refused line, no
    /// roll is added.
    /// - Throws: `notARoll`, `tooManyRolls`.
    package mutating func add(_ line: borrowing SecureBytes) throws(SeedError) {
        defer { wipeScratch() }
        let end = line.withBytes { line in
            digits.withMutableBytes { digits in Self.append(line, to: &digits, at: count) }
        }
        switch end {
        case .success(let end): count = end
        case .failure(let error): throw error
        }
    }

    @inline(never)
    private static func append(_ line: RawSpan, to digits: inout MutableRawSpan, at start: Int)
        -> Result<Int, SeedError>
    {
        var end = start
        for offset in 0..<line.byteCount {
            if line.isSeparator(UInt8(ascii: " "), at: offset) { continue }
            let digit = UInt16(line[byte: offset])
            // Negative in 16 bits for other characters.
            let other = (digit &- 0x31) | (0x36 &- digit)
            // Discloses whether the character is a roll. The error states the offset.
            guard disclosed(other >> 15) == 0 else { return .failure(.notARoll(offset: offset)) }
            guard end < limit else { return .failure(.tooManyRolls(limit: limit)) }
            digits[byte: end] = UInt8(truncatingIfNeeded: digit)
            end += 1
        }
        return .success(end)
    }

    /// 32 bytes: HMAC-SHA256 of the rolls.
    /// - Throws: `tooFewRolls`, `memory`.
    borrowing func mixed(with key: consuming SecureBytes) throws(SeedError) -> SecureBytes {
        guard count >= Self.needed else { throw .tooFewRolls(count, needed: Self.needed) }
        var rolls = try guarded(count)
        let count = count
        digits.withBytes { digits in
            rolls.withMutableBytes { $0.copy(digits.extracting(0..<count), to: 0) }
        }
        return try converting(SeedError.outOfMemory, HMAC.sha256.tag(of: rolls, key: key))
    }
}
