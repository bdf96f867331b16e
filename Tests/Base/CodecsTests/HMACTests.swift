import SecureMemory
import Testing

@testable import Codecs

struct HMACTests {
    private static func bytes(_ text: String) throws -> SecureBytes {
        try SecureBytes(copyingPublic: text.utf8)
    }

    private static func bytes(_ byte: UInt8, _ count: Int) throws -> SecureBytes {
        try SecureBytes(copyingPublic: [UInt8](repeating: byte, count: count))
    }

    private static func hex(_ secret: borrowing SecureBytes) -> String {
        Hex.encode(secret.withBytes { span in (0..<span.byteCount).map { span[byte: $0] } })
    }

    // MARK: tags

    /// RFC 2202 (SHA-1) and RFC 4231, test cases 1 to 3.
    private static let tags: [(function: HMAC, key: [UInt8], message: [UInt8], tag: String)] = [
        (.sha1, fill(0x0b, 20), Array("Hi There".utf8), "b617318655057264e28bc0b6fb378c8ef146be00"),
        (
            .sha1, Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79"
        ),
        (
            .sha1, fill(0xaa, 80), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "aa4ae5e15272d00e95705637ce8a3b55ed402112"
        ),
        (
            .sha256, fill(0x0b, 20), Array("Hi There".utf8),
            "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
        ),
        (
            .sha256, Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        ),
        (
            .sha256, fill(0xaa, 20), fill(0xdd, 50),
            "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
        ),
        (
            .sha256, fill(0xaa, 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
        ),
        (
            .sha512, fill(0x0b, 20), Array("Hi There".utf8),
            "87aa7cdea5ef619d4ff0b4241a1d6cb02379f4e2ce4ec2787ad0b30545e17cde"
                + "daa833b7d6b8a702038b274eaea3f4e4be9d914eeb61f1702e696c203a126854"
        ),
        (
            .sha512, Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
            "164b7a7bfcf819e2e395fbe73b56e0a387bd64222e831fd610270cd7ea250554"
                + "9758bf75c05a994a6d034f65f8f0e6fdcaeab1a34d4a6b4b636e070a38bce737"
        ),
        (
            .sha512, fill(0xaa, 131), Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
            "80b24263c7c1a3ebb71493c1dd7be8b49b46d1f41b4aeec1121b013783f8f352"
                + "6b56d037e05f2598bd0fd2215d6a1e5295e64f73f63f0aec8b915a985d786598"
        ),
    ]

    private static func fill(_ byte: UInt8, _ count: Int) -> [UInt8] {
        [UInt8](repeating: byte, count: count)
    }

    @Test(arguments: tags.indices)
    func publishedTag(_ index: Int) throws {
        let row = Self.tags[index]
        let tag = try row.function.tag(
            of: SecureBytes(copyingPublic: row.message), key: SecureBytes(copyingPublic: row.key))
        #expect(Self.hex(tag) == row.tag)
        #expect(tag.count == row.function.size)
    }

    /// The memory of one tag is used for the next one.
    @Test func memoryIsReused() throws {
        var memory = try ReusedBytes(capacity: HMAC.stateCount)
        for row in Self.tags + Self.tags.reversed() {
            let message = try SecureBytes(copyingPublic: row.message)
            let key = try SecureBytes(copyingPublic: row.key)
            var tag = try SecureBytes(count: row.function.size)
            tag.withMutableBytes { tag in
                message.withBytes { message in
                    key.withBytes {
                        row.function.authenticate(message, key: $0, into: &tag, memory: &memory)
                    }
                }
            }
            #expect(Self.hex(tag) == row.tag)
        }
    }

    // MARK: PBKDF2

    private struct Derived: Sendable {
        let function: HMAC
        let password: String
        let salt: String
        let rounds: UInt32
        let derived: String
    }

    /// RFC 6070 (SHA-1), RFC 7914, section 11 (SHA-256), and Python's hashlib (SHA-512).
    private static let derived = [
        Derived(
            function: .sha1, password: "password", salt: "salt", rounds: 1,
            derived: "0c60c80f961f0e71f3a9b524af6012062fe037a6"),
        Derived(
            function: .sha1, password: "password", salt: "salt", rounds: 4_096,
            derived: "4b007901b765489abead49d926f721d065a429c1"),
        Derived(
            function: .sha1, password: "passwordPASSWORDpassword",
            salt: "saltSALTsaltSALTsaltSALTsaltSALTsalt", rounds: 4_096,
            derived: "3d2eec4fe41c849b80c8d83662c0e44a8b291a964cf2f07038"),
        Derived(
            function: .sha1, password: "pass\0word", salt: "sa\0lt", rounds: 4_096,
            derived: "56fa6aa75548099dcc37d7f03425e0c3"),
        Derived(
            function: .sha256, password: "passwd", salt: "salt", rounds: 1,
            derived: "55ac046e56e3089fec1691c22544b605f94185216dde0465e68b9d57c20dacbc"
                + "49ca9cccf179b645991664b39d77ef317c71b845b1e30bd509112041d3a19783"),
        Derived(
            function: .sha256, password: "Password", salt: "NaCl", rounds: 80_000,
            derived: "4ddcd8f60b98be21830cee5ef22701f9641a4418d04c0414aeff08876b34ab56"
                + "a1d425a1225833549adb841b51c9b3176a272bdebba1d078478f62b397f33c8d"),
        Derived(
            function: .sha512, password: "passwordPASSWORDpassword",
            salt: "saltSALTsaltSALTsaltSALTsaltSALTsalt", rounds: 4_096,
            derived: "8c0511f4c6e597c6ac6315d8f0362e225f3c501495ba23b868c005174dc4ee71"
                + "115b59f9e60cd9532fa33e0f75aefe30225c583a186cd82bd4daea9724a3d3b8"
                + "04f75bdd41494fa324cab24bcc680fb3b96a30cf5d21fac3c2875913919f3399b1d9ce7e"),
    ]

    @Test(arguments: derived.indices)
    func publishedDerivation(_ index: Int) throws {
        let row = Self.derived[index]
        let derived = try row.function.derive(
            fromPassword: Self.bytes(row.password), salt: Self.bytes(row.salt), rounds: row.rounds,
            count: row.derived.count / 2)
        #expect(Self.hex(derived) == row.derived)
    }

    /// A password longer than a block is hashed first; an empty one is a key of zeros.
    @Test(arguments: HMAC.allCases)
    func longAndEmptyPasswords(_ function: HMAC) throws {
        let salt = try Self.bytes("salt")
        let long = try function.derive(fromPassword: Self.bytes(0x61, 200), salt: salt, rounds: 3, count: 100)
        let other = try function.derive(
            fromPassword: Self.bytes(0x61, 201), salt: salt, rounds: 3, count: 100)
        #expect(Self.hex(long) != Self.hex(other))
        let empty = try function.derive(fromPassword: Self.bytes(""), salt: salt, rounds: 3, count: 100)
        let zeros = try function.derive(fromPassword: Self.bytes(0, 64), salt: salt, rounds: 3, count: 100)
        #expect(Self.hex(empty) == Self.hex(zeros))
        // The first bytes do not depend on the number of bytes.
        let short = try function.derive(fromPassword: Self.bytes(""), salt: salt, rounds: 3, count: 7)
        #expect(Self.hex(empty).hasPrefix(Self.hex(short)))
    }
}
