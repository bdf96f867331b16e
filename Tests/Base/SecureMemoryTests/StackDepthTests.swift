import CLibraries
import TestSupport
import Testing

@testable import SecureMemory

/// `wipeScratch` overwrites at least twice as much of the stack as libsodium's calls use.
/// KeysTests measure the calls of libsecp256k1.
struct StackDepthTests {
    @Test func derivingFromAPIN() {
        let (pin, salt) = ([CChar](repeating: 7, count: 12), [UInt8](repeating: 7, count: 16))
        let memory = 1 << 20
        var key = [UInt8](repeating: 0, count: 32)
        let depth = stackDepth {
            _ = crypto_pwhash(&key, 32, pin, UInt64(pin.count), salt, 1, memory, crypto_pwhash_ALG_ARGON2ID13)
        }
        #expect((1_000..<scratchCount / 2).contains(depth))
    }

    @Test func unsealing() {
        let key = [UInt8](repeating: 7, count: 32)
        let sealed = [UInt8](repeating: 7, count: 48)
        var secret = [UInt8](repeating: 0, count: 32)
        let depth = stackDepth {
            _ = crypto_aead_xchacha20poly1305_ietf_decrypt(
                &secret, nil, nil, sealed, UInt64(sealed.count), nil, 0, key, key)
        }
        #expect((1_000..<scratchCount / 2).contains(depth))
    }

    @Test func authenticating() {
        let (key, message) = ([UInt8](repeating: 7, count: 32), [UInt8](repeating: 7, count: 4_096))
        var mac = [UInt8](repeating: 0, count: 32)
        let depth = stackDepth {
            _ = crypto_generichash(&mac, mac.count, message, UInt64(message.count), key, key.count)
        }
        #expect((256..<shallowScratchCount / 4).contains(depth))
    }

    @Test func wiping() {
        #expect(stackDepth { wipeScratch() } >= scratchCount)
        #expect(stackDepth { wipeShallowScratch() } >= shallowScratchCount)
    }
}
