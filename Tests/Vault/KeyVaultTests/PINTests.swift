import SecureMemory
import Testing

@testable import KeyVault

struct PINTests {
    private func error(_ bytes: [UInt8]) -> VaultError? {
        vaultError { _ = try PIN(SecureBytes(copyingPublic: bytes)) }
    }

    @Test(arguments: [
        ("", VaultError.input(.pinEmpty)), ("12345", .input(.pinTooShort(minimum: 6))),
        (String(repeating: "a", count: 1_025), .input(.pinTooLong(maximum: 1_024))),
        ("12345\n", .input(.pinNotPrintableASCII(offset: 5))),
        ("1234\u{7f}6", .input(.pinNotPrintableASCII(offset: 4))),
        ("\t12345", .input(.pinNotPrintableASCII(offset: 0))),
        ("12345é", .input(.pinNotPrintableASCII(offset: 5))),
        ("é", .input(.pinNotPrintableASCII(offset: 0))),
    ])
    func refuses(_ text: String, _ expected: VaultError) {
        #expect(error(Array(text.utf8)) == expected)
    }

    @Test func refusesZeroBytes() {
        #expect(error([0x31, 0, 0x31, 0x31, 0x31, 0x31]) == .input(.pinNotPrintableASCII(offset: 1)))
    }

    @Test(arguments: ["123456", " ~ ~ ~", String(repeating: "a", count: 1_024)])
    func takes(_ text: String) throws {
        let pin = try VaultFixture.pin(text)
        let count = pin.bytes.count
        #expect(count == text.utf8.count)
    }
}
