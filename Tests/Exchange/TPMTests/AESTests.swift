import CAES
import Codecs
import Testing

/// FIPS 197, appendix C.1 and C.3.
@Suite struct AESTests {
    @Test(arguments: [
        ("000102030405060708090a0b0c0d0e0f", "69c4e0d86a7b0430d8cdb78070b4c55a"),
        (
            "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f",
            "8ea2b7ca516745bfeafc49904b496089"
        ),
    ])
    func published(key: String, cipher: String) throws {
        let (key, plain) = (try Hex.decode(key), try Hex.decode("00112233445566778899aabbccddeeff"))
        var (schedule, block) = (aes(), plain)
        aes_expand(&schedule, key, key.count)
        aes_encrypt(&schedule, &block)
        #expect(Hex.encode(block) == cipher)
        aes_decrypt(&schedule, &block)
        #expect(block == plain)
    }
}
