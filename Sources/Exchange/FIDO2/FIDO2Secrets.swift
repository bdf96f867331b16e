import CFIDO2
import Codecs
import SecureMemory

/// The secrets of one conversation with an authenticator: the agreed secret, the hash of the PIN,
/// the token that the PIN or the fingerprint gave. They are in guarded memory until its end.
///
/// It returns ciphertexts and authentication codes, which are made to be sent.
package struct FIDO2Secrets: ~Copyable {
    private var memory: SecureBytes
    /// 1 or 2.
    package let protocolNumber: Int
    /// x and y of the key that this program made for the conversation.
    package let publicKey: [UInt8]

    /// Agrees on a secret with an authenticator.
    /// - Parameters:
    ///   - protocolNumber: the PIN/UV auth protocol, 1 or 2.
    ///   - point: x and y of the authenticator's key agreement key.
    /// - Throws: `invalidAnswer` if the point is not on the curve; `memory`.
    package init(protocolNumber: Int, point: [UInt8]) throws(FIDO2Error) {
        unsafe try self.init(protocolNumber: protocolNumber, point: point) { session, point, publicKey in
            unsafe fido2_agree(session, point, publicKey)
        }
    }

    #if DEBUG
        /// The same with a given private key of this program, for published vectors.
        /// - Parameter scalar: 32 bytes.
        package init(
            protocolNumber: Int, point: [UInt8], testOnlyScalar scalar: borrowing SecureBytes
        ) throws(FIDO2Error) {
            unsafe try self.init(protocolNumber: protocolNumber, point: point) { session, point, publicKey in
                scalar.withBytes { scalar in
                    unsafe scalar.withUnsafeBytes { scalar in
                        guard let base = scalar.baseAddress, scalar.count == 32 else { return 0 }
                        return unsafe fido2_agree_with(
                            session, base.assumingMemoryBound(to: UInt8.self), point, publicKey)
                    }
                }
            }
        }
    #endif

    private init(
        protocolNumber: Int, point: [UInt8],
        _ agree: (OpaquePointer, UnsafePointer<UInt8>, UnsafeMutablePointer<UInt8>) -> Int32
    ) throws(FIDO2Error) {
        LibCrypto.start()
        var memory: SecureBytes
        do throws(SecureMemoryError) { memory = try SecureBytes(count: fido2_session_count()) } catch {
            throw .memory(error)
        }
        var publicKey = [UInt8](repeating: 0, count: 64)
        let isAgreed = unsafe Self.lend(&memory) { session in
            guard point.count == 64, unsafe agree(session, point, &publicKey) == 1 else { return false }
            unsafe classify(RawSpan(_unsafeStart: fido2_shared_x(session), byteCount: 32))
            unsafe fido2_derive(session, Int32(protocolNumber))
            return true
        }
        wipeScratch()
        guard isAgreed else { throw .invalidAnswer(command: "authenticatorClientPIN") }
        self.memory = memory
        (self.protocolNumber, self.publicKey) = (protocolNumber, publicKey)
    }

    /// The encrypted hash of a PIN: 16 bytes (protocol 1) or 32.
    package mutating func encrypted(pin: borrowing SecureBytes) -> [UInt8] {
        let number = Int32(protocolNumber)
        return pin.withBytes { pin in
            unsafe made(atMost: FIDO2_CIPHER_MAXIMUM) { session, cipher in
                unsafe pin.withUnsafeBytes { pin in
                    unsafe fido2_encrypt_pin(
                        session, number, pin.baseAddress?.assumingMemoryBound(to: UInt8.self), pin.count,
                        cipher)
                }
            }
        }
    }

    /// The number of code points of a PIN in UTF-8 of at most 255 bytes. It is public: a wrong one
    /// is refused.
    package static func characterCount(of pin: borrowing SecureBytes) -> Int {
        pin.withBytes { pin in
            var count: UInt8 = 0
            for offset in 0..<pin.byteCount {
                // A byte 10xxxxxx continues a code point.
                let byte = pin[byte: offset]
                count &+= 1 &- (byte >> 7 & ~(byte >> 6) & 1)
            }
            return Int(disclosed(count))
        }
    }

    /// An encrypted salt: 32 bytes (protocol 1) or 48.
    /// - Parameter salt: 32 bytes.
    package mutating func encrypted(salt: [UInt8]) -> [UInt8] {
        precondition(salt.count == 32)
        let number = Int32(protocolNumber)
        return unsafe made(atMost: FIDO2_CIPHER_MAXIMUM) { session, cipher in
            unsafe fido2_encrypt_salt(session, number, salt, cipher)
        }
    }

    package enum Key { case token, agreed }

    /// The authentication code of a message: 16 bytes (protocol 1) or 32.
    package mutating func code(of message: [UInt8], by key: Key) -> [UInt8] {
        let number = Int32(protocolNumber)
        return unsafe made(atMost: FIDO2_TAG_MAXIMUM) { session, tag in
            unsafe fido2_authenticate(session, number, key == .token ? 1 : 0, message, message.count, tag)
        }
    }

    /// Decrypts the token that an authenticator gives for a PIN or a fingerprint.
    /// - Returns: false if its length is wrong.
    package mutating func take(token cipher: [UInt8]) -> Bool {
        let number = Int32(protocolNumber)
        defer { wipeScratch() }
        return unsafe Self.lend(&memory) { unsafe fido2_take_token($0, number, cipher, cipher.count) == 1 }
    }

    /// Decrypts the output of hmac-secret: 32 bytes.
    /// - Returns: nil if its length is wrong.
    /// - Throws: `memory`.
    package mutating func output(_ cipher: [UInt8]) throws(FIDO2Error) -> SecureBytes? {
        let number = Int32(protocolNumber)
        var output: SecureBytes
        do throws(SecureMemoryError) { output = try SecureBytes(count: 32) } catch { throw .memory(error) }
        let isTaken = output.withMutableBytes { output in
            unsafe output.withUnsafeMutableBytes { output in
                guard let output = unsafe output.baseAddress?.assumingMemoryBound(to: UInt8.self) else {
                    return false
                }
                return unsafe Self.lend(&memory) {
                    unsafe fido2_take_output($0, number, cipher, cipher.count, output) == 1
                }
            }
        }
        wipeScratch()
        guard isTaken else { return nil }
        return output
    }

    /// Verifies an ES256 signature of public bytes.
    /// - Parameters:
    ///   - signature: in DER.
    ///   - point: x and y of the public key, 64 bytes.
    package static func verify(_ signature: [UInt8], of bytes: [UInt8], by point: [UInt8]) -> Bool {
        guard point.count == 64 else { return false }
        LibCrypto.start()
        return unsafe fido2_verify(point, bytes, bytes.count, signature, signature.count) == 1
    }

    /// True if x and y are a point of P-256.
    package static func isPoint(_ point: [UInt8]) -> Bool {
        (try? FIDO2Secrets(protocolNumber: 1, point: point)) != nil
    }

    /// Bytes that a call makes from secrets, for the authenticator.
    /// - Parameter make: returns the number of bytes.
    private mutating func made(
        atMost limit: Int, _ make: (OpaquePointer, UnsafeMutablePointer<UInt8>) -> Int
    ) -> [UInt8] {
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: limit) { buffer, count in
            guard let base = buffer.baseAddress else { return }
            unsafe count = Self.lend(&memory) { unsafe make($0, base) }
        }
        wipeScratch()
        // Ciphertexts and authentication codes are made to be sent.
        return disclosed(bytes)
    }

    private static func lend<Result>(
        _ memory: inout SecureBytes, _ body: (OpaquePointer) -> Result
    ) -> Result {
        memory.withMutableBytes { span in
            unsafe span.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else {
                    preconditionFailure("guarded memory has an address")
                }
                return unsafe body(OpaquePointer(base))
            }
        }
    }
}
