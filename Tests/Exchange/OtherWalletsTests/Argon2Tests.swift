import CLibraries
import CWallets
import Codecs
import Testing

@Suite struct Argon2Tests {
    /// The reference implementation's test of two lanes (phc-winner-argon2, src/test.c).
    @Test func published() throws {
        let key = derive(passes: 2, kibibytes: 256, lanes: 2, salt: "somesalt")
        #expect(Hex.encode(key) == "6d093c501fd5999645e0ea3bf620d7b8be7fd2db59c20d9fff9539da2bf57037")
    }

    /// libsodium computes one lane.
    @Test(arguments: [8, 9, 31, 32, 100, 1000, 2048] as [UInt32], [1, 2, 3] as [UInt32])
    func oneLane(kibibytes: UInt32, passes: UInt32) throws {
        #expect(sodium_init() >= 0)
        let salt = "somesaltsomesalt"
        var expected = [UInt8](repeating: 0, count: 32)
        let done = crypto_pwhash(
            &expected, 32, "password", 8, Array(salt.utf8), UInt64(passes), Int(kibibytes) << 10,
            crypto_pwhash_ALG_ARGON2ID13)
        #expect(done == 0)
        #expect(derive(passes: passes, kibibytes: kibibytes, lanes: 1, salt: salt) == expected)
    }

    private func derive(passes: UInt32, kibibytes: UInt32, lanes: UInt32, salt: String) -> [UInt8] {
        var key = [UInt8](repeating: 0, count: 32)
        let (password, salt) = (Array("password".utf8), Array(salt.utf8))
        let cost = argon2_cost(passes: passes, kibibytes: kibibytes, lanes: lanes)
        #expect(sodium_init() >= 0)
        #expect(argon2id_derive(cost, password, password.count, salt, salt.count, &key) == 1)
        return key
    }
}
