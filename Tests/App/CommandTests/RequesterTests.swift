import JSON
import KeyVault
import Signing
import Testing
import Transactions

@testable import App

/// What `log` shows of a record that states its requester.
struct RequesterTests {
    private func record(_ program: String?) -> AuditRecord {
        AuditRecord(
            sequence: 7, time: 1_700_000_000, event: .rekeyed,
            requester: program.flatMap { Requester(uid: 1000, program: $0) })
    }

    @Test func aRequesterIsShown() {
        #expect(record(nil).text(.builtIn) == "7 2023-11-14T22:13:20 made a new master key")
        #expect(
            record("cleos").text(.builtIn)
                == "7 2023-11-14T22:13:20 made a new master key, requested by cleos of user 1000")
        #expect(record(nil).json()["requester"] == nil)
        #expect(record("cleos").json()["requester"]?.text() == #"{"uid":1000,"program":"cleos"}"#)
    }

    /// The name of a program can contain anything.
    @Test func theNameIsEscaped() {
        #expect(!record("a\u{1b}[2J\nb").text(.builtIn).contains { $0 == "\u{1b}" || $0.isNewline })
    }
}
