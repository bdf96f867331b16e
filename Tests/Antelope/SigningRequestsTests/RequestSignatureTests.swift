import ABICodec
import Keys
import SigningRequests
import Testing

struct RequestSignatureTests {
    /// wharfkit/signing-request 7fb4c63 (test/request.ts): signed by `foobar`.
    private static let signed =
        "esr://gmNgZGBY1mTC_MoglIGBIVzX5uxZRqAQGMBoExgDAjRi4fwAVz93ICUckpGYl12skJZfpFCSkaqQllmcwQxREVOsEc"
        + "sgX-9-jqsy1EhNQM_GM_FkQMIziUU1VU4PsmOn_3r5hUMumeN3PXvdSuWMm1o9u6-FmCwtPvR0haqt12fNKtlWzTuiNwA"

    @Test func recovered() throws {
        let link = try RequestLinkTests.link(Self.signed)
        let signature = try #require(link.signature)
        #expect(signature.signer.text == "foobar")
        let key = try #require(try link.signatureKey())
        #expect(try signature.signature.recover(link.request.signatureDigest) == key)
        #expect(try RequestLinkTests.link("esr:" + RequestLinkTests.vote).signatureKey() == nil)
        // The signature of another request gives another key.
        let other = try RequestLink(
            RequestLinkTests.link("esr:" + RequestLinkTests.vote).request, signature: signature)
        #expect(try other.signatureKey() != key)
    }

    @Test func keyIsCompared() throws {
        let link = try RequestLinkTests.link(Self.signed)
        let key = try #require(try link.signatureKey())
        try link.expectKey(key)
        let other = try PublicKey("EOS6MRyAjQq8ud7hVNYcfnVPJqcVpscN5So8BhtHuGYqET5GDW5CV")
        #expect(throws: RequestError.otherKey(found: key)) { try link.expectKey(other) }
        #expect(throws: RequestError.notSigned) {
            try RequestLinkTests.link("esr:" + RequestLinkTests.vote).expectKey(key)
        }
    }

    @Test func unrecoverable() throws {
        let payload = "000101000000000000000000000000001f\(String(repeating: "00", count: 64))"
        let link = try RequestLinkTests.link(2, payload)
        #expect(throws: RequestError.signature(.notRecoverable, offset: 15)) { try link.signatureKey() }
    }
}
