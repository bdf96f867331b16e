import CAES
import Codecs
import Testing

@Suite struct AESModesTests {
    private static let plain = """
        6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51\
        30c81c46a35ce411e5fbc1191a0a52eff69f2445df4f9b17ad2b417be66c3710
        """

    /// NIST SP 800-38A, F.2.1 and F.2.5.
    @Test(arguments: [
        (
            "2b7e151628aed2a6abf7158809cf4f3c",
            """
            7649abac8119b246cee98e9b12e9197d5086cb9b507219ee95db113a917678b2\
            73bed6b8e3c1743b7116e69e222295163ff1caa1681fac09120eca307586e1a7
            """
        ),
        (
            "603deb1015ca71be2b73aef0857d77811f352c073b6108d72d9810a30914dff4",
            """
            f58c4c04d6e5f1ba779eabfb5f7bfbd69cfc4e967edb808d679f777bc6702c7d\
            39f23369a9d9bacfa530e26304231461b2eb05e2c39be9fcda6c19078c6a9d1b
            """
        ),
    ])
    func published(key: String, cipher: String) throws {
        let (key, cipher) = (try Hex.decode(key), try Hex.decode(cipher))
        let (plain, iv) = (try Hex.decode(Self.plain), (0..<16).map { UInt8($0) })
        var schedule = aes()
        aes_expand(&schedule, key, key.count)
        for count in [0, 16, 32, 48, 64] {
            var made = [UInt8](repeating: 0, count: 64)
            aes_cbc_encrypt(&schedule, iv, plain, count, &made)
            #expect(made[..<count] == cipher[..<count])
            aes_cbc_decrypt(&schedule, iv, cipher, count, &made)
            #expect(made[..<count] == plain[..<count])
        }
    }

    /// The GCM specification of McGrew and Viega, test case 3. Its IV has 12 bytes; the samples of
    /// Scatter have 16.
    @Test func publishedGCM() throws {
        let (iv, tag) = (
            try Hex.decode("cafebabefacedbaddecaf888"), try Hex.decode("4d5c2af327cd64a62cf35abd2ba6fab4")
        )
        let cipher = try Hex.decode(
            """
            42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e\
            21d514b25466931c7d8f6a5aac84aa051ba30b396a0aac973d58e091473f5985
            """)
        let key = try Hex.decode("feffe9928665731c6d6a8f9467308308")
        let plain = try Hex.decode(
            """
            d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a72\
            1c3c0c95956809532fcf0e2449a6b525b16aedf5aa0de657ba637b391aafd255
            """)
        var (schedule, work) = (aes(), aes_gcm())
        aes_expand(&schedule, key, key.count)
        for count in [8, 16] {
            let difference = aes_gcm_compare(
                &work, &schedule, iv, iv.count, cipher, cipher.count, tag, count)
            #expect(difference == 0)
            var opened = [UInt8](repeating: 0, count: plain.count)
            aes_gcm_decrypt(&work, &schedule, cipher, cipher.count, &opened)
            #expect(opened == plain)
        }
        for index in tag.indices {
            var changed = tag
            changed[index] ^= 0x10
            let difference = aes_gcm_compare(
                &work, &schedule, iv, iv.count, cipher, cipher.count, changed, changed.count)
            #expect(difference != 0)
        }
    }

    /// RFC 5652, section 6.3: the last byte is the number of equal bytes at the end.
    @Test func padding() {
        for count in 1...16 {
            var block = [UInt8](repeating: 0xaa, count: 32)
            for index in 0..<count { block[31 - index] = UInt8(count) }
            #expect(aes_padding(block, 32) == UInt32(count))
            guard count > 1 else { continue }
            block[32 - count] ^= 1
            #expect(aes_padding(block, 32) == 0)
        }
        for last in [0, 17, 0x80, 0xff] as [UInt8] {
            #expect(aes_padding([UInt8](repeating: last, count: 16), 16) == 0)
        }
    }
}
