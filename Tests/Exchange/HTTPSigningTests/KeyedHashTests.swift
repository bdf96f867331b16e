import Codecs
import SecureMemory
import TestSupport
import Testing

@testable import HTTPSigning

struct KeyedHashTests {
    /// The parts of a message have the HMAC of the whole message, for keys around the block size.
    @Test(arguments: KeyedHash.allCases) func partsAndKeyLengths(hash: KeyedHash) throws {
        let message = (0..<300).map { UInt8(truncatingIfNeeded: $0) }
        for count in [1, 20, 63, 64, 65, 127, 128, 129, 4_096] {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }
            let key = try SecureBytes(copyingPublic: bytes)
            // RFC 2104: a key that is longer than a block is hashed first.
            let block = hash == .sha512 ? 128 : 64
            let short = count > block ? hash.digest(bytes) : bytes
            let padded = short + [UInt8](repeating: 0, count: block - short.count)
            let inner = hash.digest(padded.map { $0 ^ 0x36 } + message)
            let expected = hash.digest(padded.map { $0 ^ 0x5c } + inner)
            #expect(try hash.mac([message], key: key) == expected)
            #expect(try hash.mac([Array(message[..<64]), [], Array(message[64...])], key: key) == expected)
        }
    }

    /// From FIPS 180-2: "abc".
    @Test func digests() {
        let expected: [KeyedHash: String] = [
            .sha1: "a9993e364706816aba3e25717850c26c9cd0d89d",
            .sha256: "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad",
            .sha512:
                "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a"
                + "2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f",
        ]
        for hash in KeyedHash.allCases {
            #expect(Hex.encode(hash.digest(Array("abc".utf8))) == expected[hash])
        }
    }

    /// Only these files can use the broken functions: `MD5` and `SHA1` of libcrypto, and `.sha1`.
    @Test func brokenFunctionsAreConfined() throws {
        let folders = ["", "/Profiles"].map { repositoryRoot + "/Sources/Exchange/HTTPSigning" + $0 }
        var users: [String: Set<String>] = [:]
        for folder in folders {
            for name in Files.names(in: folder) where name.hasSuffix(".swift") {
                let text = String(decoding: try Files.read(folder + "/" + name), as: UTF8.self)
                for word in ["MD5(", "SHA1", ".sha1", "KeyedHash.all", "import CLibraries"]
                where text.contains(word) {
                    users[word, default: []].insert(name)
                }
            }
        }
        #expect(
            users == [
                "MD5(": ["GamesystemProfile.swift"], "SHA1": ["KeyedHash.swift", "GamesystemProfile.swift"],
                ".sha1": ["KeyedHash.swift", "GamesystemProfile.swift"],
                "import CLibraries": ["KeyedHash.swift", "GamesystemProfile.swift"],
            ])
    }

    @Test(
        arguments: [
            (0, "19700101 00:00:00 UTC", "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_399, "20000228 23:59:59 UTC", "Mon, 28 Feb 2000 23:59:59 GMT"),
            (951_782_400, "20000229 00:00:00 UTC", "Tue, 29 Feb 2000 00:00:00 GMT"),
            (1_393_679_109, "20140301 13:05:09 UTC", "Sat, 01 Mar 2014 13:05:09 GMT"),
            (1_618_884_475, "20210420 02:07:55 UTC", "Tue, 20 Apr 2021 02:07:55 GMT"),
            (4_107_542_400, "21000301 00:00:00 UTC", "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "99991231 23:59:59 UTC", "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(UInt64, String, String)])
    func dates(seconds: UInt64, compact: String, header: String) throws {
        let time = try RequestTime(seconds, .seconds)
        #expect(time.compactText == compact)
        #expect(time.headerText == header)
    }
}
