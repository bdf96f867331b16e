import Codecs
import JSON
import KeyVault
import Keys
import Shell
import Signing
import Testing
import Transactions

@testable import App

/// The record of a signed digest, as `eosvault log` shows it. Only an agent makes such a record.
struct DigestRecordTests {
    private static let key = "EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV"

    private func record() throws -> AuditRecord {
        let name = try EntryName(PublicKey(Self.key))
        let event = AuditEvent.digestSigned(key: name, digest: [UInt8](repeating: 0xab, count: 32))
        return AuditRecord(
            sequence: 7, time: 1_700_000_000, event: event,
            requester: Requester(uid: 1000, program: "nodeos"))
    }

    @Test func isShown() throws {
        let (record, digest) = (try record(), String(repeating: "ab", count: 32))
        let name = try #require(record.event.key)
        #expect(
            record.text(.builtIn)
                == "7 \(Clock.text(1_700_000_000)) signed the digest \(digest) with \(name)"
                + ", requested by nodeos of user 1000"
        )
        let row = record.row([:], .builtIn)
        #expect(row.contains("digest-signed") && row.hasSuffix("\(digest), requested by nodeos of user 1000"))
        let json = record.json().text()
        #expect(json.contains(#""event":"digest-signed""#) && json.contains(#""digest":"\#(digest)""#))
        #expect(
            json.contains(#""public_key":"\#(name.text)""#) || json.contains(#""public_key":"\#(Self.key)""#))
        let lines = record.csv(label: nil, .builtIn)
        #expect(lines == ["7,2023-11-14T22:13:20Z,digest-signed,,\(name.text),,,,,,,,,"])
    }
}
