import HTTPSigning
import Testing

/// Times as users give them. The numbers are from GNU date (`date -ud TEXT +%s`).
struct GivenTimeTests {
    @Test(
        arguments: [
            // RFC 3339, section 5.8
            ("1985-04-12T23:20:50.52Z", 482_196_050_520_000), ("1970-01-01T00:00:00Z", 0),
            ("2000-02-29T23:59:59", 951_868_799_000_000), ("2026-12-01T09:30:00Z", 1_796_117_400_000_000),
            ("2100-03-01T00:00:00.000001Z", 4_107_542_400_000_001),
            ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
        ] as [(String, UInt64)])
    func dates(text: String, microseconds: UInt64) throws {
        let time = try GivenTime(text)
        #expect(try time.time(in: .seconds).microseconds == microseconds)
        #expect(try GivenTime(time.text) == time)
    }

    @Test func numbersAreInTheUnitOfTheCredential() throws {
        #expect(try GivenTime("1618884473").time(in: .seconds).microseconds == 1_618_884_473_000_000)
        #expect(try GivenTime("5").time(in: .milliseconds).microseconds == 5_000)
        #expect(throws: HTTPSigningError.request(.timeOutOfRange)) {
            try GivenTime("18446744073709551615").time(in: .seconds)
        }
    }

    @Test(arguments: [
        "", "now", "-1", "2026-12-01", "2026-12-01 09:30:00", "2026-12-01T09:30Z", "2026-13-01T00:00:00Z",
        "2026-00-01T00:00:00Z", "2026-02-29T00:00:00Z", "2100-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-12-00T00:00:00Z", "2026-12-01T24:00:00Z", "2026-12-01T00:60:00Z", "1990-12-31T23:59:60Z",
        "1996-12-19T16:39:57-08:00", "1969-12-31T23:59:59Z", "2026-12-01T00:00:00.Z",
        "2026-12-01T00:00:00.1234567Z", "2026-12-01T00:00:00ZZ", "2026-12-01T00:00:00z",
        "20261-12-01T00:00:00Z",
        "٢٠٢٦-12-01T00:00:00Z",
    ])
    func refused(text: String) {
        #expect(throws: HTTPSigningError.request(.invalidTime)) { try GivenTime(text) }
    }
}
