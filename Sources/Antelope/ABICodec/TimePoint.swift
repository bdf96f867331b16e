/// A time in microseconds. Only whole milliseconds from 1970 to 2106 have a text form.
struct TimePoint {
    /// Since 1970-01-01T00:00:00.
    let microseconds: Int64

    init(microseconds: Int64) { self.microseconds = microseconds }

    /// `YYYY-MM-DDThh:mm:ss[.f{1,3}]`
    init(utf8 text: Span<UInt8>) throws(ABIError) {
        let time = try CivilTime(utf8: text, type: "time_point")
        microseconds = Int64(time.seconds) * 1_000_000 + Int64(time.milliseconds) * 1_000
    }

    /// Whole seconds and milliseconds; nil when the time has no text form.
    var parts: (seconds: UInt32, milliseconds: UInt32)? {
        guard microseconds >= 0, microseconds % 1_000 == 0,
            let seconds = UInt32(exactly: microseconds / 1_000_000)
        else { return nil }
        return (seconds, UInt32(microseconds / 1_000 % 1_000))
    }
}

/// A time in half seconds: a block's slot.
struct BlockTimestamp {
    /// Milliseconds from 1970 to 2000-01-01T00:00:00, the first slot.
    private static let epoch: UInt64 = 946_684_800_000

    /// Since 2000-01-01T00:00:00.
    let slot: UInt32

    init(slot: UInt32) { self.slot = slot }

    /// `YYYY-MM-DDThh:mm:ss[.0|.5]`; the fraction may have more zeros.
    init(utf8 text: Span<UInt8>) throws(ABIError) {
        let time = try CivilTime(utf8: text, type: "block_timestamp_type")
        guard time.milliseconds % 500 == 0 else { throw ABIError(.invalidTime(type: "block_timestamp_type")) }
        let milliseconds = UInt64(time.seconds) * 1_000 + UInt64(time.milliseconds)
        // nodeos divides a time before 2000 as an unsigned 64-bit number (AntelopeIO/spring,
        // libraries/chain/include/eosio/chain/block_timestamp.hpp; Vectors/abi.json, test 1536).
        slot = UInt32(truncatingIfNeeded: (milliseconds &- Self.epoch) / 500)
    }

    var parts: (seconds: UInt32, milliseconds: UInt32) {
        // The sum is below 2000 + 2^31 s, which is before 2106.
        (UInt32(truncatingIfNeeded: Self.epoch / 1_000) + slot / 2, slot % 2 * 500)
    }
}
