/// A time in whole seconds, UTC: the `expiration` of a transaction.
package struct TimePointSec: TextValue, Hashable, Sendable {
    /// Since 1970-01-01T00:00:00, up to 2106-02-07T06:28:15.
    package let seconds: UInt32

    package init(seconds: UInt32) { self.seconds = seconds }

    /// `YYYY-MM-DDThh:mm:ss` of a date that exists, with an optional fraction of up to three zeros.
    /// - Throws: `.invalidTime`
    package init(utf8 text: Span<UInt8>) throws(ABIError) {
        let time = try CivilTime(utf8: text, type: "time_point_sec")
        guard time.milliseconds == 0 else { throw ABIError(.invalidTime(type: "time_point_sec")) }
        seconds = time.seconds
    }

    /// The whole seconds of a time, which may have a fraction.
    /// - Throws: `.invalidTime`
    package init(roundingDown text: some StringProtocol) throws(ABIError) {
        seconds = try CivilTime(utf8: Array(text.utf8).span, type: "time_point").seconds
    }

    package func append(to bytes: inout [UInt8]) { CivilTime.append(seconds: seconds, to: &bytes) }
}
