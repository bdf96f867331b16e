import Codecs
import Glibc
import SecureMemory
import Testing

@testable import FIDO2

/// Conversations with the software authenticator of `Tests/FIDO2`, which python-fido2 2.2.1 also
/// uses: both PIN/UV auth protocols, with hmac-secret.
@Suite struct FIDO2DeviceTests {
    /// Options of authenticators that verify the user by a PIN.
    static let models = [
        "--pin 1234 --protocol 1", "--pin 1234 --protocol 2", "--pin 1234 --protocol both",
        "--pin 1234 --protocol 1 --no-permissions", "--pin 1234 --protocol 2 --no-permissions",
    ]

    @Test(arguments: models) func theSecretIsTheSameEachTime(model: String) throws {
        let authenticator = try TestAuthenticator()
        let credential: FIDO2Credential
        let first: [UInt8]
        do {
            let plug = try authenticator.plug(model)
            let device = try plug.device()
            try device.expectUsable()
            #expect(device.verification == .pin)
            #expect(device.facts.hasPIN && device.facts.hasHMACSecret && !device.facts.hasFingerprint)
            #expect(device.facts.aaguid == Array("eosvault-test-01".utf8))
            let typed = try pin("1234")
            var touches = 0
            credential = try device.makeCredential(pin: typed) { touches += 1 }
            first = try #require(bytes(try device.secret(of: credential, pin: typed) { touches += 1 }))
            #expect(first.count == 32 && Set(first).count > 8)
            #expect(touches == 0 || touches == 2)
            #expect(try device.pinTries() == 8)
        }
        // Another start, and the other protocol.
        let plug = try authenticator.plug("--protocol both")
        let device = try plug.device()
        let packed = try FIDO2Credential(packed: credential.packed)
        #expect(packed == credential)
        let again = try bytes(device.secret(of: packed, pin: try pin("1234")) {})
        #expect(again == first)
        // Another salt, another secret.
        let other = try FIDO2Credential(
            id: credential.id, publicKey: credential.publicKey, salt: [UInt8](repeating: 1, count: 32),
            aaguid: credential.aaguid)
        let different = try bytes(device.secret(of: other, pin: try pin("1234")) {})
        #expect(different != first)
        let second = try device.makeCredential(pin: try pin("1234")) {}
        #expect(credential.salt != second.salt && credential.id != second.id)
    }

    @Test(arguments: ["--uv", "--uv --no-permissions", "--uv --no-pin --protocol 2"])
    func aFingerprintNeedsNoPIN(model: String) throws {
        let plug = try TestAuthenticator().plug(model + " --touch-after 150")
        let device = try plug.device()
        try device.expectUsable()
        #expect(device.verification == .builtIn)
        var touches = 0
        let credential = try device.makeCredential(pin: nil) { touches += 1 }
        #expect(touches > 0)
        let secrets = [0, 1].map { _ in try? bytes(device.secret(of: credential, pin: nil) { touches += 1 }) }
        #expect(secrets[0] != nil && secrets[0] == secrets[1])
    }

    /// The PIN and the fingerprint give the same secret.
    @Test func aPINIsTakenNextToAFingerprint() throws {
        let plug = try TestAuthenticator().plug("--uv --pin 1234")
        let device = try plug.device()
        let credential = try device.makeCredential(pin: nil) {}
        let byPIN = try bytes(device.secret(of: credential, pin: try pin("1234")) {})
        let byFingerprint = try bytes(device.secret(of: credential, pin: nil) {})
        #expect(byPIN == byFingerprint)
    }

    @Test func fingerprintsFail() throws {
        let plug = try TestAuthenticator().plug("--uv --pin 1234 --uv-fails 5")
        let device = try plug.device()
        for left in [4, 3, 2, 1, 0] {
            #expect(throws: FIDO2Error.fingerprintFailed(triesLeft: left)) {
                try device.makeCredential(pin: nil) {}
            }
        }
        #expect(throws: FIDO2Error.fingerprintBlocked) { try device.makeCredential(pin: nil) {} }
        _ = try device.makeCredential(pin: try pin("1234")) {}
        _ = try device.makeCredential(pin: nil) {}
    }

    @Test func wrongPINsAreCounted() throws {
        let authenticator = try TestAuthenticator()
        for lefts in [[7, 6], [4, 3], [1]] as [[Int]] {
            let plug = try authenticator.plug()
            let device = try plug.device()
            for left in lefts {
                #expect(throws: FIDO2Error.wrongPIN(triesLeft: left)) {
                    try device.makeCredential(pin: try pin("9999")) {}
                }
            }
            // The third one in a row, or the last one.
            let last = lefts.count == 1 ? FIDO2Error.pinBlocked : .pinAuthBlocked
            for _ in 0..<2 {
                #expect(throws: last) { try device.makeCredential(pin: try pin("9999")) {} }
            }
            #expect(throws: last) { try device.makeCredential(pin: try pin("1234")) {} }
        }
        let plug = try authenticator.plug()
        let device = try plug.device()
        #expect(try device.pinTries() == 0)
        #expect(throws: FIDO2Error.pinBlocked) { try device.makeCredential(pin: try pin("1234")) {} }
    }

    @Test(arguments: [
        "", "1", "123", "äöü", String(repeating: "1", count: 64), String(repeating: "ä", count: 32),
    ])
    func noPINOfAWrongLengthIsTried(text: String) throws {
        let plug = try TestAuthenticator().plug()
        let device = try plug.device()
        #expect(throws: FIDO2Error.pinLength) { try device.makeCredential(pin: try pin(text)) {} }
        #expect(try device.pinTries() == 8)
    }

    @Test(arguments: ["äöüß", String(repeating: "1", count: 63)])
    func longestAndShortestPINs(text: String) throws {
        let plug = try TestAuthenticator().plug("--pin \(text)")
        _ = try plug.device().makeCredential(pin: try pin(text)) {}
    }

    @Test func theRulesOfAnAuthenticatorForPINs() throws {
        let plug = try TestAuthenticator().plug("--pin 123456 --minimum-pin 6")
        let device = try plug.device()
        #expect(throws: FIDO2Error.pinLength) { try device.makeCredential(pin: try pin("12345")) {} }
        _ = try device.makeCredential(pin: try pin("123456")) {}
        let old = try TestAuthenticator().plug("--pin 1234 --change-pin")
        #expect(throws: FIDO2Error.pinMustChange) {
            try old.device().makeCredential(pin: try pin("1234")) {}
        }
    }

    // MARK: - the user and the device

    @Test func nobodyTouches() throws {
        let plug = try TestAuthenticator().plug("--pin 1234 --never-touch")
        let device = try plug.device(milliseconds: 1_000)
        let start = time(nil)
        for _ in 0..<2 {
            var touches = 0
            #expect(throws: FIDO2Error.noTouch) {
                try device.makeCredential(pin: try pin("1234")) { touches += 1 }
            }
            #expect(touches == 1)
        }
        #expect(time(nil) - start < 15)
        // The command was cancelled, so the authenticator answers the next one.
        #expect(try device.pinTries() == 8)
    }

    @Test func aCommandIsCancelledBeforeASignalEndsTheProgram() async {
        await #expect(processExitsWith: .signal(SIGTERM)) {
            let plug = try TestAuthenticator().plug("--pin 1234 --never-touch")
            let device = try plug.device()
            _ = try? device.makeCredential(pin: try pin("1234")) { kill(getpid(), SIGTERM) }
        }
    }

    @Test func theTouchIsAnnouncedOnce() throws {
        let plug = try TestAuthenticator().plug("--pin 1234 --touch-after 500")
        let device = try plug.device()
        var touches = 0
        let credential = try device.makeCredential(pin: try pin("1234")) { touches += 1 }
        _ = try device.secret(of: credential, pin: try pin("1234")) { touches += 1 }
        #expect(touches == 2)
    }

    @Test func anotherAuthenticatorIsRefused() throws {
        let (first, second) = (try TestAuthenticator().plug(), try TestAuthenticator().plug())
        let credential = try first.device().makeCredential(pin: try pin("1234")) {}
        let device = try second.device()
        #expect(throws: FIDO2Error.otherAuthenticator) {
            _ = try device.secret(of: credential, pin: try pin("1234")) {}
        }
        // The longest id that a credential may have does not fit this authenticator.
        let long = try FIDO2Credential(
            id: [UInt8](repeating: 7, count: 1_023), publicKey: credential.publicKey, salt: credential.salt,
            aaguid: credential.aaguid)
        #expect(throws: FIDO2Error.otherAuthenticator) {
            _ = try device.secret(of: long, pin: try pin("1234")) {}
        }
        // The right id with another key: somebody changed the credential.
        let own = try device.makeCredential(pin: try pin("1234")) {}
        let changed = try FIDO2Credential(
            id: own.id, publicKey: credential.publicKey, salt: own.salt, aaguid: own.aaguid)
        #expect(throws: FIDO2Error.wrongSignature) {
            _ = try device.secret(of: changed, pin: try pin("1234")) {}
        }
    }

    @Test(arguments: [
        ("--pin 1234 --no-hmac-secret", FIDO2Error.noHMACSecret), ("", .noVerification),
        ("--no-pin", .noVerification), ("--pin 1234 --no-ctap2", .tooOld),
    ])
    func unusableModels(options: String, error: FIDO2Error) throws {
        let plug = try TestAuthenticator().plug(options)
        #expect(throws: error) { try plug.device().expectUsable() }
        #expect(throws: error) { try plug.device().makeCredential(pin: try pin("1234")) {} }
    }

    @Test func aPINIsNeeded() throws {
        let device = try TestAuthenticator().plug()
        #expect(throws: FIDO2Error.pinNeeded) { try device.device().makeCredential(pin: nil) {} }
        let noPIN = try TestAuthenticator().plug("--uv --no-pin")
        #expect(throws: FIDO2Error.noVerification) {
            try noPIN.device().makeCredential(pin: try pin("1234")) {}
        }
    }

    /// A blocking write to a full socket would not return.
    @Test func nobodyReads() throws {
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        let plugs = sockets.map { Plug($0) }
        let bytes = [UInt8](repeating: 0, count: 4_096)
        while send(sockets[0], bytes, bytes.count, Int32(MSG_DONTWAIT)) > 0 {}
        let start = time(nil)
        #expect(throws: FIDO2Error.noAuthenticator) { _ = try plugs[0].device(milliseconds: 200) }
        #expect(time(nil) - start < 5)
    }

    @Test func notAnAuthenticator() throws {
        var ends: [Int32] = [-1, -1]
        try #require(pipe(&ends) == 0)
        do {
            // The reading end can't be written.
            let plug = Plug(ends[0])
            #expect(throws: FIDO2Error.noAuthenticator) { _ = try plug.device(milliseconds: 200) }
        }
        // Nobody has the reading end any more.
        #expect(throws: FIDO2Error.gone) { _ = try Plug(ends[1]).device() }
        var sockets: [Int32] = [-1, -1]
        try #require(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &sockets) == 0)
        let plugs = sockets.map { Plug($0) }
        #expect(throws: FIDO2Error.noAuthenticator) { _ = try plugs[0].device(milliseconds: 200) }
    }
}
