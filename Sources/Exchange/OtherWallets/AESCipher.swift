import CAES
import CLibraries
import SecureMemory

/// AES with its key schedule in guarded memory. Only this file calls `CAES`.
struct AESCipher: ~Copyable {
    static let blockSize = Int(AES_BLOCK_BYTES)

    private var memory: SecureBytes

    /// - Parameter key: 16, 32 or 256 bytes.
    init(key: RawSpan) throws(WalletError) {
        precondition([16, 32, 256].contains(key.byteCount))
        memory = try .forWallet(count: MemoryLayout<aes>.size)
        expand(key)
    }

    private mutating func expand(_ key: RawSpan) {
        defer { wipeScratch() }
        memory.withMutableBytes { memory in
            unsafe memory.withUnsafeMutableBytes { memory in
                unsafe key.withUnsafeBytes { key in
                    unsafe aes_expand(memory.schedule, key.baseAddress?.bytes, key.count)
                }
            }
        }
    }

    /// Decrypts CBC without looking at the padding.
    /// - Parameters:
    ///   - iv: 16 bytes.
    ///   - cipher: whole blocks.
    ///   - plain: has as many bytes as `cipher`.
    borrowing func decryptCBC(iv: RawSpan, _ cipher: [UInt8], into plain: inout MutableRawSpan) {
        precondition(
            iv.byteCount == Self.blockSize && cipher.count % Self.blockSize == 0
                && plain.byteCount == cipher.count)
        defer { wipeScratch() }
        memory.withBytes { memory in
            unsafe memory.withUnsafeBytes { memory in
                unsafe iv.withUnsafeBytes { iv in
                    unsafe plain.withUnsafeMutableBytes { plain in
                        unsafe aes_cbc_decrypt(
                            memory.schedule, iv.baseAddress?.bytes, cipher, cipher.count,
                            plain.baseAddress?.bytes)
                    }
                }
            }
        }
    }

    /// Encrypts whole blocks. The padding is part of them.
    /// - Parameter iv: 16 bytes.
    borrowing func encryptCBC(iv: RawSpan, _ plain: RawSpan) -> [UInt8] {
        precondition(iv.byteCount == Self.blockSize && plain.byteCount % Self.blockSize == 0)
        defer { wipeScratch() }
        var cipher = [UInt8](repeating: 0, count: plain.byteCount)
        memory.withBytes { memory in
            unsafe memory.withUnsafeBytes { memory in
                unsafe iv.withUnsafeBytes { iv in
                    unsafe plain.withUnsafeBytes { plain in
                        unsafe aes_cbc_encrypt(
                            memory.schedule, iv.baseAddress?.bytes, plain.baseAddress?.bytes, plain.count,
                            &cipher
                        )
                    }
                }
            }
        }
        return disclosed(cipher)
    }

    /// Decrypts GCM without associated data.
    /// - Parameter plain: has as many bytes as `cipher`. It is not written if the tag is wrong.
    /// - Returns: true if the tag is right.
    borrowing func openGCM(
        iv: [UInt8], _ cipher: [UInt8], tag: [UInt8], into plain: inout MutableRawSpan
    ) throws(WalletError) -> Bool {
        precondition(plain.byteCount == cipher.count && (4...16).contains(tag.count))
        defer { wipeScratch() }
        var work = try SecureBytes.forWallet(count: MemoryLayout<aes_gcm>.size)
        return work.withMutableBytes { work in
            unsafe work.withUnsafeMutableBytes { work in
                memory.withBytes { memory in
                    unsafe memory.withUnsafeBytes { memory in
                        let gcm = unsafe work.baseAddress?.assumingMemoryBound(to: aes_gcm.self)
                        let difference = unsafe aes_gcm_compare(
                            gcm, memory.schedule, iv, iv.count, cipher, cipher.count, tag, tag.count)
                        // Discloses only whether the tag is right.
                        guard disclosed(difference) == 0 else { return false }
                        unsafe plain.withUnsafeMutableBytes { plain in
                            unsafe aes_gcm_decrypt(
                                gcm, memory.schedule, cipher, cipher.count, plain.baseAddress?.bytes)
                        }
                        return true
                    }
                }
            }
        }
    }

    /// The number of bytes of PKCS #7 padding at the end of decrypted blocks, 1 to 16; 0 if there
    /// is none. The number is still a secret.
    static func paddingCount(_ plain: RawSpan) -> UInt32 {
        precondition(plain.byteCount > 0 && plain.byteCount % blockSize == 0)
        return unsafe plain.withUnsafeBytes { plain in
            unsafe aes_padding(plain.baseAddress?.bytes, plain.count)
        }
    }
}

extension UnsafeRawBufferPointer {
    /// Guarded memory as the schedule of a key. It ends at a page, and the size of the schedule is
    /// a multiple of its alignment, so it is aligned.
    fileprivate var schedule: UnsafePointer<aes>? { unsafe baseAddress?.assumingMemoryBound(to: aes.self) }
}

extension UnsafeMutableRawBufferPointer {
    fileprivate var schedule: UnsafeMutablePointer<aes>? {
        unsafe baseAddress?.assumingMemoryBound(to: aes.self)
    }
}

extension UnsafeRawPointer {
    var bytes: UnsafePointer<UInt8> { unsafe assumingMemoryBound(to: UInt8.self) }
}

extension UnsafeMutableRawPointer {
    var bytes: UnsafeMutablePointer<UInt8> { unsafe assumingMemoryBound(to: UInt8.self) }
}
